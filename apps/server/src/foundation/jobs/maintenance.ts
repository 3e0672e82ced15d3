import { eachAlone } from '../concurrency/each-alone.ts';
import { lockTable } from '../db/database.sql.ts';
import type { Db } from '../db/pool.ts';
import { transaction } from '../db/transaction.ts';
import { deleteIdleQueues } from './jobs.sql.ts';

export type Cleaner = (db: Db) => Promise<unknown>;

/** One after the other; a failure of one is reported, by the job's own retry, once the others have run. */
export async function cleanAll(db: Db, cleaners: Cleaner[]): Promise<void> {
  await eachAlone(cleaners, (clean) => clean(db));
}

/**
 * Each account with jobs has a row, which every claim looks at: those of accounts without any go. Whoever adds a job first
 * looks for the row and then points to it, so nobody may be in between; where somebody is for long, it is left for the
 * next time.
 */
export async function forgetIdleAccounts(db: Db): Promise<void> {
  await transaction(db, async (trx) => {
    await lockTable(trx, 'graphile_worker._private_job_queues', 'share row exclusive', { waitSeconds: 1 });
    await deleteIdleQueues(trx);
  });
}
