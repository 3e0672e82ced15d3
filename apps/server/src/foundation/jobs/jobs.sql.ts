import { sql } from 'kysely';
import type { Queries, Trx } from '../db/transaction.ts';
import type { Tasks } from './tasks.ts';

/**
 * This file contains the queries on graphile-worker. They use graphile-worker's functions where possible, and otherwise
 * its private tables.
 */

type NewJob = {
  name: keyof Tasks;
  payload: Tasks[keyof Tasks];
  delaySeconds: number;
  key: string | null;
  keyMode: 'replace' | 'preserve_run_at';
  queue: string | null;
};

export async function addJob(trx: Trx, { name, payload, delaySeconds, key, keyMode, queue }: NewJob): Promise<void> {
  await sql`
    select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json,
      run_at => now() + make_interval(secs => ${delaySeconds}), job_key => ${key}, job_key_mode => ${keyMode},
      queue_name => ${queue})`.execute(trx);
}

export async function removeJob(trx: Trx, key: string): Promise<void> {
  await sql`select graphile_worker.remove_job(${key})`.execute(trx);
}

/**
 * Returns the times at which the jobs with these keys will run. Jobs that no longer exist or have failed permanently
 * are left out.
 */
export async function readRunTimes(db: Queries, keys: string[]): Promise<Map<string, Date>> {
  const { rows } = await sql<{ key: string; run_at: Date }>`
    select key, run_at from graphile_worker._private_jobs
    where key = any(${keys}::text[]) and attempts < max_attempts`.execute(db);
  return new Map(rows.map(({ key, run_at }) => [key, run_at]));
}

/** Locks every waiting or running job of a task until the transaction ends. */
export async function lockJobs<Name extends keyof Tasks>(
  trx: Trx,
  name: Name,
): Promise<{ id: string; payload: Tasks[Name] }[]> {
  const { rows } = await sql<{ id: string; payload: Tasks[Name] }>`
    select j.id::text, j.payload
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = ${name} for update of j`.execute(trx);
  return rows;
}

export async function writePayload(trx: Trx, id: string, payload: Tasks[keyof Tasks]): Promise<void> {
  await sql`
    update graphile_worker._private_jobs set payload = ${JSON.stringify(payload)}::json
    where id = ${id}::bigint`.execute(trx);
}

/** Counts due jobs by task. Jobs that wait for a certain time, such as a purge in a month, are not counted. */
export async function readDueJobs(db: Queries): Promise<{ task: keyof Tasks; waiting: number; running: number }[]> {
  const { rows } = await sql<{ task: keyof Tasks; waiting: number; running: number }>`
    select t.identifier as task, count(*) filter (where j.locked_at is null) as waiting,
      count(*) filter (where j.locked_at is not null) as running
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where j.locked_at is not null or (j.run_at <= now() and j.attempts < j.max_attempts)
    group by t.identifier`.execute(db);
  return rows;
}

/** Deletes the jobs of a task whose attempts have all failed, some days after the last attempt. */
export async function deleteGivenUp(db: Queries, name: keyof Tasks, { days }: { days: number }): Promise<void> {
  await sql`
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = ${name} and j.locked_at is null and j.attempts >= j.max_attempts
      and j.run_at < now() - make_interval(days => ${days})`.execute(db);
}

export async function deleteIdleQueues(trx: Trx): Promise<void> {
  await sql`
    delete from graphile_worker._private_job_queues q
    where q.locked_at is null and not exists (
      select from graphile_worker._private_jobs j where j.job_queue_id = q.id)`.execute(trx);
}

/**
 * In a backup, jobs are stored as arguments of graphile-worker's function for adding jobs, which stays the same even if
 * its tables change. Running jobs are included, because they have not ended.
 */
export const jobsInBackup = {
  columns: ['identifier', 'payload', 'queue_name', 'run_at', 'max_attempts', 'job_key', 'priority'],
  types: `identifier text, payload json, queue_name text, run_at timestamptz, max_attempts integer, job_key text,
    priority integer`,
  query: `select t.identifier, j.payload, q.queue_name, j.run_at, j.max_attempts::integer, j.key, j.priority::integer
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
    where j.attempts < j.max_attempts`,
  add: `graphile_worker.add_job(identifier, payload, queue_name => queue_name, run_at => run_at,
    max_attempts => max_attempts, job_key => job_key, priority => priority)`,
};
