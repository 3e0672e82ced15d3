import { graceAfterOutage } from '../../foundation/concurrency/grace.ts';
import { type Heartbeat, startHeartbeat } from '../../foundation/concurrency/heartbeat.ts';
import type { Db } from '../../foundation/db/index.ts';
import { type Claim, leaseSeconds } from '../state/index.ts';
import type { Interruption, WorkKind } from './work.ts';

export type Held = { kind: WorkKind; claim: Claim; controller: AbortController };

type Options = {
  /** The database connections that are reserved for heartbeats and for the renewal of leases. */
  vital: Db;
  workerId: string;
  kinds: readonly WorkKind[];
  current: ReadonlyMap<string, Held>;
  warn: (error: unknown, message: string) => void;
};

const watchMs = 500;
const renewEvery = 6;
/** If a renewal takes longer than this many milliseconds, leases may have expired meanwhile. */
const slowMs = 5_000;

/** Sends this worker's heartbeats, learns which work is no longer wanted, and looks for work of dead workers. */
export function keepLeases({ vital, workerId, kinds, current, warn }: Options): Heartbeat {
  let beats = 0;
  const grace = graceAfterOutage(leaseSeconds * 1000);

  /**
   * Renews this worker's own leases before it looks for dead workers: after a database outage, leases have expired
   * although no worker is dead.
   */
  async function watch(): Promise<void> {
    const isBeat = beats++ % renewEvery === 0;
    if (current.size === 0 && !isBeat) return;
    const asked = Date.now();
    // A copy, because the queries do not return work that is claimed while they run.
    const mine = [...current];
    const ids = mine.map(([id]) => id);
    const held = await renewed(isBeat ? kinds : [...new Set(mine.map(([, { kind }]) => kind))], ids, isBeat);
    for (const [id, { claim, controller }] of mine) {
      const lease = held.get(id);
      if (!lease || lease.attempt !== claim.attempt) controller.abort('lost' satisfies Interruption);
      else if (lease.unwanted) controller.abort('canceled' satisfies Interruption);
    }
    if (Date.now() - asked > slowMs) grace.noteOutage();
    if (isBeat && grace.isOver()) for (const kind of kinds) await kind.reap();
  }

  async function renewed(some: readonly WorkKind[], ids: readonly string[], extend: boolean) {
    const leases = [];
    for (const kind of some) leases.push(...(await kind.renew(vital, workerId, { ids, extend })));
    return new Map(leases.map((lease) => [lease.id, lease]));
  }

  return startHeartbeat({
    everyMs: watchMs,
    beat: watch,
    onError(error) {
      grace.noteOutage();
      warn(error, 'failed to renew the build leases');
    },
  });
}
