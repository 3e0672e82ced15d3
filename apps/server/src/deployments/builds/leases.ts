import { graceAfterOutage } from '../../foundation/concurrency/grace.ts';
import { type Heartbeat, startHeartbeat } from '../../foundation/concurrency/heartbeat.ts';
import type { Db } from '../../foundation/db/index.ts';
import { type Addresses, type Bell, type Claim, leaseSeconds, renewLeases } from '../state/index.ts';
import { reapOrphans } from './reaper.ts';

/** Why a build is interrupted. */
export type Interruption = 'canceled' | 'lost' | 'shutdown';

export type Held = { claim: Claim; controller: AbortController };

type Options = {
  db: Db;
  /** The connections for heartbeats and renewals. */
  vital: Db;
  workerId: string;
  addresses: Addresses;
  bell: Bell;
  current: ReadonlyMap<string, Held>;
  warn: (error: unknown, message: string) => void;
};

const watchMs = 500;
const renewEvery = 6;
/** If a renewal takes longer than this many milliseconds, leases may have expired meanwhile. */
const slowMs = 5_000;

/** Sends this worker's heartbeats, learns which builds are no longer wanted, and looks for builds of dead workers. */
export function keepLeases({ db, vital, workerId, addresses, bell, current, warn }: Options): Heartbeat {
  let beats = 0;
  const grace = graceAfterOutage(leaseSeconds * 1000);

  /**
   * Renews the leases of its own builds first. After a database outage, they have expired although no worker is dead.
   */
  async function watch(): Promise<void> {
    const isBeat = beats++ % renewEvery === 0;
    if (current.size === 0 && !isBeat) return;
    const asked = Date.now();
    // A copy, because builds that are claimed while the query runs are not in its result.
    const mine = [...current];
    const held = new Map((await renewLeases(vital, workerId, { extend: isBeat })).map((one) => [one.id, one]));
    for (const [id, { claim, controller }] of mine) {
      const lease = held.get(id);
      if (!lease || lease.attempt !== claim.attempt) controller.abort('lost' satisfies Interruption);
      else if (lease.unwanted) controller.abort('canceled' satisfies Interruption);
    }
    if (Date.now() - asked > slowMs) grace.noteOutage();
    if (isBeat && grace.isOver()) await reapOrphans(db, addresses, bell);
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
