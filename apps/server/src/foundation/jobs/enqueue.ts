import type { Trx } from '../db/transaction.ts';
import { addJob } from './jobs.sql.ts';
import type { Tasks } from './tasks.ts';

export type { Tasks } from './tasks.ts';

type Options = {
  /**
   * Two jobs with the same key are one, at the time of the later, or where `keepsTime` says so of the earlier. Without
   * one, each is its own.
   */
  key?: string;
  delaySeconds?: number;
  keepsTime?: boolean;
  /** Whose job it is: of one account one runs at a time, so that its others wait and nobody else does. */
  account?: string;
};

/** In the caller's transaction: the job exists if and only if the change does. For rare work, not for hot paths. */
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
