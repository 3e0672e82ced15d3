import type { Db } from '../../foundation/db/pool.ts';
import type { Trx } from '../../foundation/db/transaction.ts';
import { unavailable } from '../../foundation/http/app-error.ts';
import type { LiveOwnership } from '../texts/index.ts';
import {
  beat,
  findOwners,
  forgetNode,
  holdLease,
  type Node,
  releaseLease,
  renewLeases,
  takeLease,
} from './owners.sql.ts';

/** Where a project's live texts are. */
export type OwnerPlace = { here: true } | { here: false; nodeId: string; address: string };

type Hooks = {
  /** Whether anything here still needs the project's texts. */
  isInUse(projectId: string): boolean;
  /** Nobody needs them: stores what is left. */
  leave(projectId: string): Promise<void>;
  /** Another node has them. */
  lost(projectId: string): Promise<void>;
  /** The others had counted this node as dead and forgotten its sockets. */
  forgotten(): Promise<void>;
};

export type Owners = LiveOwnership & {
  nodeId: string;
  placeOf(projectId: string): Promise<OwnerPlace>;
  /** Which node has each of these now. */
  ownersOf(projectIds: string[]): Promise<Map<string, string>>;
  beatOnce(): Promise<void>;
  start(hooks: Hooks): Promise<void>;
  stop(): Promise<void>;
};

type Options = {
  db: Db;
  nodeId: string;
  address: () => string;
  leaseSeconds: number;
  onError(error: unknown): void;
};

/** Comments come without a socket: so long after the last of them the texts stay here. */
const keptIdleMs = 30_000;

/**
 * The leases of this node. It renews them three times before they run out. One that it lost while it was paused, or
 * away from the database for too long, is noticed with the next renewal; what it would have written meanwhile is
 * refused by `assertHeld`, in the transaction that writes. As long as nobody else came, a lease that ran out goes on.
 */
export function createOwners({ db, nodeId, address, leaseSeconds, onError }: Options): Owners {
  const held = new Map<string, { epoch: number; usedAt: number }>();
  /** One at a time for each project: an acquisition waits for a departure that is under way. */
  const changing = new Map<string, Promise<unknown>>();
  let hooks: Hooks | null = null;
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> = Promise.resolve();
  const node = (): Node => ({ id: nodeId, address: address() });

  function inTurn<Result>(projectId: string, change: () => Promise<Result>): Promise<Result> {
    const next = (changing.get(projectId) ?? Promise.resolve()).then(change, change);
    changing.set(projectId, next);
    const forget = () => changing.get(projectId) === next && changing.delete(projectId);
    next.then(forget, forget);
    return next;
  }

  async function placeOf(projectId: string): Promise<OwnerPlace> {
    const lease = held.get(projectId);
    if (lease && !changing.has(projectId)) {
      lease.usedAt = Date.now();
      return { here: true };
    }
    return inTurn(projectId, () => take(projectId));
  }

  async function take(projectId: string): Promise<OwnerPlace> {
    const already = held.get(projectId);
    if (already) return { here: true };
    for (let tries = 0; tries < 10; tries++) {
      const lease = await takeLease(db, projectId, { node: node(), seconds: leaseSeconds });
      if (!lease) continue;
      if (lease.node_id !== nodeId) return { here: false, nodeId: lease.node_id, address: lease.address };
      held.set(projectId, { epoch: lease.epoch, usedAt: Date.now() });
      return { here: true };
    }
    throw unavailable(new Error(`nobody keeps the live texts of ${projectId}`));
  }

  async function assertHeld(trx: Trx, projectId: string): Promise<void> {
    const lease = held.get(projectId);
    if (!lease || !(await holdLease(trx, projectId, lease.epoch))) {
      throw new Error(`The live texts of ${projectId} are another node's`);
    }
  }

  async function renew(): Promise<void> {
    const before = [...held];
    if (before.length === 0) return;
    const still = await renewLeases(db, nodeId, {
      projectIds: before.map(([projectId]) => projectId),
      epochs: before.map(([, { epoch }]) => epoch),
      seconds: leaseSeconds,
    });
    const kept = new Set(still);
    for (const [projectId, lease] of before) {
      if (held.get(projectId) !== lease) continue;
      if (!kept.has(projectId)) void inTurn(projectId, () => lose(projectId)).catch(onError);
      else if (Date.now() - lease.usedAt > keptIdleMs && !hooks?.isInUse(projectId)) {
        void inTurn(projectId, () => leave(projectId, lease.epoch)).catch(onError);
      }
    }
  }

  async function lose(projectId: string): Promise<void> {
    held.delete(projectId);
    await hooks?.lost(projectId);
  }

  async function leave(projectId: string, epoch: number): Promise<void> {
    if (hooks?.isInUse(projectId)) return;
    await hooks?.leave(projectId);
    held.delete(projectId);
    await releaseLease(db, projectId, epoch);
  }

  async function beatOnce(): Promise<void> {
    if ((await beat(db, node())) && hooks) await hooks.forgotten();
    await renew();
  }

  return {
    nodeId,
    placeOf,
    acquire: async (projectId) => (await placeOf(projectId)).here,
    assertHeld,
    ownersOf: (projectIds) => findOwners(db, projectIds),
    beatOnce,
    async start(given) {
      await beat(db, node());
      hooks = given;
      let isBeating = false;
      timer = setInterval(
        () => {
          // One that hangs on a database that is away must not pile up others behind it.
          if (isBeating) return;
          isBeating = true;
          beating = beatOnce()
            .catch(onError)
            .finally(() => {
              isBeating = false;
            });
        },
        (leaseSeconds * 1000) / 3.5,
      );
    },
    async stop() {
      clearInterval(timer);
      await beating;
      if (hooks) await forgetNode(db, nodeId).catch(onError);
      held.clear();
    },
  };
}
