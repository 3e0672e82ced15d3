import { sql } from 'kysely';
import type { Queries } from '../db/transaction.ts';

export type QueueRow = {
  task: string;
  ready: number;
  waiting: number;
  running: number;
  failed: number;
  oldest_ready_seconds: number | null;
};

export async function readQueues(db: Queries): Promise<QueueRow[]> {
  const { rows } = await sql<QueueRow>`
    select t.identifier as task,
      count(*) filter (where j.locked_at is null and j.attempts < j.max_attempts and j.run_at <= now()) as ready,
      count(*) filter (where j.locked_at is null and j.attempts < j.max_attempts and j.run_at > now()) as waiting,
      count(*) filter (where j.locked_at is not null) as running,
      count(*) filter (where j.locked_at is null and j.attempts >= j.max_attempts) as failed,
      extract(epoch from now() - min(j.run_at) filter (
        where j.locked_at is null and j.attempts < j.max_attempts and j.run_at <= now()))::float8 as oldest_ready_seconds
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    group by t.identifier order by t.identifier`.execute(db);
  return rows;
}

export async function readWorkers(db: Queries): Promise<{ worker_id: string; beat_at: Date; alive: boolean }[]> {
  const { rows } = await sql<{ worker_id: string; beat_at: Date; alive: boolean }>`
    select worker_id, beat_at, beat_at > now() - interval '20 seconds' as alive
    from job_workers order by beat_at desc`.execute(db);
  return rows;
}

export async function readDatabaseSize(db: Queries): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}
