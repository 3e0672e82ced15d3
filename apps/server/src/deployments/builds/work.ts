import type { Queries, Trx } from '../../foundation/db/index.ts';
import type { Claim, Lease, Taker } from '../state/index.ts';

/** Why work is interrupted. */
export type Interruption = 'canceled' | 'lost' | 'shutdown';

/** Something that a worker has claimed. */
export type Work = {
  claim: Claim;
  /** Runs the work to its end. The signal aborts with an `Interruption`. */
  run(signal: AbortSignal): Promise<void>;
};

/** What runs in the slots of a worker: builds, and other commands that the sandbox runs for a project. */
export type WorkKind = {
  claim(trx: Trx, taker: Taker): Promise<Work | undefined>;
  /**
   * Renews the leases of the work that the worker runs, given by ids. Work that is missing in the result no longer
   * belongs to the worker. Work whose end could not be stored is not renewed, so that its lease expires.
   */
  renew(db: Queries, workerId: string, how: { ids: readonly string[]; extend: boolean }): Promise<Lease[]>;
  /** Handles the work that dead workers held. Any worker may do this. */
  reap(): Promise<unknown>;
};
