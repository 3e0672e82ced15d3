import { sql } from 'kysely';
import type { Queries } from '../db/transaction.ts';

export async function noteBeat(db: Queries, workerIds: string[]): Promise<void> {
  await sql`
    insert into job_workers (worker_id) select unnest(${workerIds}::text[])
    on conflict (worker_id) do update set beat_at = now()`.execute(db);
}

export async function forgetWorkers(db: Queries, workerIds: string[]): Promise<void> {
  await sql`delete from job_workers where worker_id = any(${workerIds}::text[])`.execute(db);
}

/**
 * Frees the jobs of workers that have been silent for this long, and returns the number of these workers. A worker that
 * never sent a heartbeat counts as silent once its job has been locked for this long. But no worker counts as silent
 * before the database has been up for this long, because workers cannot report without it.
 */
export async function freeDeadWorkers(db: Queries, silentSeconds: number): Promise<number> {
  const { rows } = await sql`
    with dead as (
      select distinct jobs.locked_by as worker_id
      from graphile_worker._private_jobs as jobs
      left join job_workers on job_workers.worker_id = jobs.locked_by
      where jobs.locked_by is not null
        and greatest(coalesce(job_workers.beat_at, jobs.locked_at), pg_postmaster_start_time())
          < now() - make_interval(secs => ${silentSeconds})
    ), freed as (
      select graphile_worker.force_unlock_workers(array(select worker_id from dead)) where exists (select from dead)
    ), forgotten as (
      delete from job_workers where beat_at < now() - make_interval(secs => ${silentSeconds * 10})
    )
    select worker_id from dead where exists (select from freed)`.execute(db);
  return rows.length;
}
