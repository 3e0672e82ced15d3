import { eachAlone } from '../concurrency/each-alone.ts';
import { lockTable } from '../db/database.sql.ts';
import type { Db } from '../db/pool.ts';
import { transaction } from '../db/transaction.ts';
import { deleteIdleQueues } from './jobs.sql.ts';

export type Cleaner = (db: Db) => Promise<unknown>;

/**
 * Runs all cleaners one after the other. If one fails, the others still run. Its error is thrown at the end, so that
 * the job fails and is retried.
 */
export async function cleanAll(db: Db, cleaners: Cleaner[]): Promise<void> {
  await eachAlone(cleaners, (clean) => clean(db));
}

/**
 * Each account with jobs has a queue row, which every claim reads. This deletes the rows of accounts without jobs. Code
 * that adds a job first finds the queue row and then refers to it, so the row must not be deleted in between. The table
 * is locked to prevent that. If the lock is not available soon, the rows stay until the next run.
 */
export async function forgetIdleAccounts(db: Db): Promise<void> {
  await transaction(db, async (trx) => {
    await lockTable(trx, 'graphile_worker._private_job_queues', 'share row exclusive', { waitSeconds: 1 });
    await deleteIdleQueues(trx);
  });
}
