import type { Queries, Trx } from '../../foundation/db/index.ts';
import type { Claim, Lease, Taker } from '../state/index.ts';

/** Why work is interrupted. */
export type Interruption = 'canceled' | 'lost' | 'shutdown';

/** Something that a worker has claimed. */
export type Work = {
  claim: Claim;
  /** Runs it to its end. The signal aborts with an `Interruption`. */
  run(signal: AbortSignal): Promise<void>;
};

/** What runs in the slots of a worker: builds, and other commands that the sandbox runs for a project. */
export type WorkKind = {
  claim(trx: Trx, taker: Taker): Promise<Work | undefined>;
  /** Renews the worker's leases. What is missing in the result is lost. */
  renew(db: Queries, workerId: string, how: { extend: boolean }): Promise<Lease[]>;
  /** Handles what dead workers held. Any worker may do this. */
  reap(): Promise<unknown>;
};
