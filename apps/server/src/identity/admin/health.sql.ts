import { sql } from 'kysely';
import { allRows, type Queries } from '../../foundation/db/index.ts';

export type QueueRow = {
  task: string;
  ready: number;
  waiting: number;
  running: number;
  failed: number;
  oldest_ready_seconds: number | null;
};

/**
 * Selects jobs that a worker could take now. A job that waits for another job of its account is not ready: this does
 * not mean that the workers cannot keep up, because the account already uses its share.
 */
const isReady = sql`
  j.locked_at is null and j.attempts < j.max_attempts and j.run_at <= now() and q.locked_at is null`;

export function readQueues(db: Queries): Promise<QueueRow[]> {
  return allRows<QueueRow>(db)`
    select t.identifier as task,
      count(*) filter (where ${isReady}) as ready,
      count(*) filter (where j.locked_at is null and j.attempts < j.max_attempts and not (${isReady})) as waiting,
      count(*) filter (where j.locked_at is not null) as running,
      count(*) filter (where j.locked_at is null and j.attempts >= j.max_attempts) as failed,
      extract(epoch from now() - min(j.run_at) filter (where ${isReady}))::float8 as oldest_ready_seconds
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
    group by t.identifier order by t.identifier`;
}

export function readWorkers(db: Queries): Promise<{ worker_id: string; beat_at: Date; alive: boolean }[]> {
  return allRows<{ worker_id: string; beat_at: Date; alive: boolean }>(db)`
    select worker_id, beat_at, beat_at > now() - interval '20 seconds' as alive
    from job_workers order by beat_at desc`;
}

export async function readDatabaseSize(db: Queries): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}
