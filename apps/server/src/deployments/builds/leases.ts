import { graceAfterAbsence } from '../../foundation/concurrency/grace.ts';
import { type Heartbeat, startHeartbeat } from '../../foundation/concurrency/heartbeat.ts';
import type { Db } from '../../foundation/db/index.ts';
import { type Addresses, type Bell, type Claim, leaseSeconds, renewLeases } from '../state/index.ts';
import { reapOrphans } from './reaper.ts';

/** Why a build is broken off. */
export type Interruption = 'canceled' | 'lost' | 'shutdown';

/** A build of this worker. */
export type Held = { claim: Claim; controller: AbortController };

type Options = {
  db: Db;
  /** For signs of life and renewals. */
  vital: Db;
  workerId: string;
  addresses: Addresses;
  bell: Bell;
  current: ReadonlyMap<string, Held>;
  warn: (error: unknown, message: string) => void;
};

const watchMs = 500;
const renewEvery = 6;
/** A lease that was asked for this long ago may have run out meanwhile. */
const slowMs = 5_000;

/** Tells the database that this worker lives, hears what is no longer wanted, and looks for builds of the dead. */
export function keepLeases({ db, vital, workerId, addresses, bell, current, warn }: Options): Heartbeat {
  let beats = 0;
  const grace = graceAfterAbsence(leaseSeconds * 1000);

  /** Its own builds first: after an absence of the database their leases have run out, and nobody is dead. */
  async function watch(): Promise<void> {
    const isBeat = beats++ % renewEvery === 0;
    if (current.size === 0 && !isBeat) return;
    const asked = Date.now();
    // Not those that are taken while the database answers: its answer is older than they are.
    const mine = [...current];
    const held = new Map((await renewLeases(vital, workerId, { extend: isBeat })).map((one) => [one.id, one]));
    for (const [id, { claim, controller }] of mine) {
      const lease = held.get(id);
      if (!lease || lease.attempt !== claim.attempt) controller.abort('lost' satisfies Interruption);
      else if (lease.unwanted) controller.abort('canceled' satisfies Interruption);
    }
    if (Date.now() - asked > slowMs) grace.wasAway();
    if (isBeat && grace.isOver()) await reapOrphans(db, addresses, bell);
  }

  return startHeartbeat({
    everyMs: watchMs,
    beat: watch,
    onError(error) {
      grace.wasAway();
      warn(error, 'the build leases were not renewed');
    },
  });
}
