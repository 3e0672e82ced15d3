import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { transaction } from '../db/transaction.ts';

export type Cleaner = (db: Db) => Promise<unknown>;

/** One after the other; a failure of one is reported, by the job's own retry, once the others have run. */
export async function cleanAll(db: Db, cleaners: Cleaner[]): Promise<void> {
  const failures: unknown[] = [];
  for (const clean of cleaners) {
    await clean(db).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, 'cleaning failed in part');
}

/**
 * Each account with jobs has a row, which every claim looks at: those of accounts without any go. Whoever adds a job first
 * looks for the row and then points to it, so nobody may be in between; where somebody is for long, it is left for the
 * next time.
 */
export async function forgetIdleAccounts(db: Db): Promise<void> {
  await transaction(db, async (trx) => {
    await sql`set local lock_timeout = '1s'`.execute(trx);
    await sql`lock table graphile_worker._private_job_queues in share row exclusive mode`.execute(trx);
    await sql`
      delete from graphile_worker._private_job_queues q
      where q.locked_at is null and not exists (
        select from graphile_worker._private_jobs j where j.job_queue_id = q.id)`.execute(trx);
  });
}
