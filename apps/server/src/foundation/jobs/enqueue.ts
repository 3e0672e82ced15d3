import type { Trx } from '../db/transaction.ts';
import { addJob } from './jobs.sql.ts';
import type { Tasks } from './tasks.ts';

export type { Tasks } from './tasks.ts';

type Options = {
  /**
   * Two jobs with the same key are merged. The merged job has the time of the later one or, with `keepsTime`, of the
   * earlier one. Without a key, each job is separate.
   */
  key?: string;
  delaySeconds?: number;
  keepsTime?: boolean;
  /** The account of the job. Jobs of one account run one at a time, so they delay only each other. */
  account?: string;
};

/** Enqueues a job in the caller's transaction, so the job exists if and only if the change does. Not for hot paths. */
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
