import { type Heartbeat, startHeartbeat } from '../../foundation/concurrency/heartbeat.ts';
import { keyedQueue } from '../../foundation/concurrency/keyed-queue.ts';
import type { Db } from '../../foundation/db/index.ts';
import { unavailable } from '../../foundation/http/index.ts';
import type { LiveOwnership } from '../texts/index.ts';
import {
  beat,
  findOwners,
  forgetNode,
  holdLease,
  type Lease,
  type Node,
  releaseLease,
  renewLeases,
  takeLease,
} from './owners.sql.ts';

/** The node that has a project's live texts. */
export type OwnerPlace = { here: true } | { here: false; nodeId: string; address: string };

type Hooks = {
  /** Whether anything on this node still needs the project's texts. */
  isInUse(projectId: string): boolean;
  /** Called when nothing needs the texts any more, to store pending changes. */
  leave(projectId: string): Promise<void>;
  /** Called when another node has the texts. */
  lost(projectId: string): Promise<void>;
  /** Called when other nodes considered this node dead and deleted its sockets. */
  forgotten(): Promise<void>;
};

export type Owners = LiveOwnership & {
  nodeId: string;
  placeOf(projectId: string): Promise<OwnerPlace>;
  /** The current owner of each project. */
  ownersOf(projectIds: string[]): Promise<Map<string, string>>;
  beatOnce(): Promise<void>;
  start(hooks: Hooks): Promise<void>;
  stop(): Promise<void>;
};

type Options = {
  db: Db;
  /** The database connection that is reserved for heartbeats and for the renewal of leases. */
  vital: Db;
  nodeId: string;
  address: () => string;
  leaseSeconds: number;
  onError(error: unknown): void;
};

type HeldLease = { epoch: number; usedAt: number };

/**
 * How long the texts stay on this node after the last request about comments, in milliseconds. Requests have no socket
 * whose end would say that the texts are no longer needed.
 */
const keptIdleMs = 30_000;
const maxTries = 10;

/**
 * Manages the leases of this node. The node renews each lease three times before it would expire. If a lease was lost
 * while the node was paused or cut off from the database, the next renewal notices that. Until then, `assertHeld`
 * refuses writes, in the transaction that writes. An expired lease stays valid as long as no other node has taken it.
 */
export function createOwners({ db, vital, nodeId, address, leaseSeconds, onError }: Options): Owners {
  const leases = new Map<string, HeldLease>();
  /** Acquiring a project waits until a release of the same project has finished. */
  const queue = keyedQueue();
  let hooks: Hooks | null = null;
  let heartbeat: Heartbeat | null = null;
  const node = (): Node => ({ id: nodeId, address: address() });

  async function take(projectId: string): Promise<OwnerPlace> {
    const held = leases.get(projectId);
    if (held) {
      held.usedAt = Date.now();
      return { here: true };
    }
    const lease = await takeOrFindLease(db, projectId, { node: node(), seconds: leaseSeconds });
    if (lease.node_id !== nodeId) return { here: false, nodeId: lease.node_id, address: lease.address };
    leases.set(projectId, { epoch: lease.epoch, usedAt: Date.now() });
    return { here: true };
  }

  async function renew(): Promise<void> {
    const before = [...leases];
    const kept = before.length > 0 ? await renewAll(vital, nodeId, before, leaseSeconds) : new Set<string>();
    for (const [projectId, lease] of before) {
      if (leases.get(projectId) !== lease) continue;
      if (!kept.has(projectId)) void queue(projectId, () => lose(projectId)).catch(onError);
      else if (Date.now() - lease.usedAt > keptIdleMs && !hooks?.isInUse(projectId)) {
        void queue(projectId, () => leave(projectId, lease.epoch)).catch(onError);
      }
    }
  }

  async function lose(projectId: string): Promise<void> {
    leases.delete(projectId);
    await hooks?.lost(projectId);
  }

  async function leave(projectId: string, epoch: number): Promise<void> {
    if (hooks?.isInUse(projectId)) return;
    await hooks?.leave(projectId);
    leases.delete(projectId);
    await releaseLease(db, projectId, epoch);
  }

  async function beatAndRenew(): Promise<void> {
    if ((await beat(vital, node())) && hooks) await hooks.forgotten();
    await renew();
  }

  const placeOf = (projectId: string) => queue(projectId, () => take(projectId));
  return {
    nodeId,
    placeOf,
    acquire: async (projectId) => (await placeOf(projectId)).here,
    async assertHeld(trx, projectId) {
      const lease = leases.get(projectId);
      if (lease && (await holdLease(trx, projectId, lease.epoch))) return;
      throw new Error(`The live texts of ${projectId} are another node's`);
    },
    ownersOf: (projectIds) => findOwners(db, projectIds),
    beatOnce: async () => heartbeat?.beatNow(),
    async start(given) {
      await beat(db, node());
      hooks = given;
      heartbeat = startHeartbeat({ everyMs: (leaseSeconds * 1000) / 3.5, beat: beatAndRenew, onError });
    },
    async stop() {
      await heartbeat?.stop();
      if (hooks) await forgetNode(db, nodeId).catch(onError);
      leases.clear();
    },
  };
}

type Wanted = { node: Node; seconds: number };

/** Takes the lease, or finds the node that owns the project. */
async function takeOrFindLease(db: Db, projectId: string, wanted: Wanted): Promise<Lease> {
  for (let tries = 0; tries < maxTries; tries++) {
    const lease = await takeLease(db, projectId, wanted);
    if (lease) return lease;
  }
  throw unavailable(new Error(`no node owns the live texts of ${projectId}`));
}

/** Renews the leases, and returns the projects whose leases this node still holds. */
async function renewAll(
  db: Db,
  nodeId: string,
  leases: [projectId: string, HeldLease][],
  seconds: number,
): Promise<Set<string>> {
  const projectIds = leases.map(([projectId]) => projectId);
  const epochs = leases.map(([, { epoch }]) => epoch);
  return new Set(await renewLeases(db, nodeId, { projectIds, epochs, seconds }));
}
