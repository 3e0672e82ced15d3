import { sql } from 'kysely';
import type { Queries, Trx } from '../db/transaction.ts';
import type { Tasks } from './tasks.ts';

/** The tables of graphile-worker: its own functions where it has one, and its private tables where it has none. */

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

/** Every job of a task that waits or runs, locked until the transaction ends. */
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

/** What waits for its time, as a purge does for a month, is not counted. */
export async function readDueJobs(db: Queries): Promise<{ task: keyof Tasks; waiting: number; running: number }[]> {
  const { rows } = await sql<{ task: keyof Tasks; waiting: number; running: number }>`
    select t.identifier as task, count(*) filter (where j.locked_at is null) as waiting,
      count(*) filter (where j.locked_at is not null) as running
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where j.locked_at is not null or (j.run_at <= now() and j.attempts < j.max_attempts)
    group by t.identifier`.execute(db);
  return rows;
}

export async function deleteIdleQueues(trx: Trx): Promise<void> {
  await sql`
    delete from graphile_worker._private_job_queues q
    where q.locked_at is null and not exists (
      select from graphile_worker._private_jobs j where j.job_queue_id = q.id)`.execute(trx);
}
