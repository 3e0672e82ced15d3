import type { Trx } from '../db/transaction.ts';
import { addJob } from './jobs.sql.ts';
import type { Tasks } from './tasks.ts';

export type { Tasks } from './tasks.ts';

type Options = {
  /**
   * A new job replaces a waiting job with the same key. The job then runs at the time of the new job or, with
   * `keepsTime`, at the time of the old one. Without a key, each job is separate.
   */
  key?: string;
  delaySeconds?: number;
  keepsTime?: boolean;
  /**
   * The account that caused the job. Jobs of one account run one at a time, so many jobs of one account delay only each
   * other.
   */
  account?: string;
};

/**
 * Enqueues a job in the caller's transaction, so the job exists if and only if the transaction commits. Too slow for
 * code that runs often.
 */
export async function enqueueJob<Name extends keyof Tasks>(
  trx: Trx,
  name: Name,
  payload: Tasks[Name],
  { key, delaySeconds = 0, keepsTime = false, account }: Options,
): Promise<void> {
  await addJob(trx, {
    name,
    payload,
    delaySeconds,
    key: key ?? null,
    keyMode: keepsTime ? 'preserve_run_at' : 'replace',
    queue: account === undefined ? null : `${name} ${account}`,
  });
}

export { readRunTimes, removeJob as cancelJob } from './jobs.sql.ts';
