import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../db/pool.ts';
import type { Tasks } from './enqueue.ts';
import { queueNames, queueOf } from './queues.ts';

type Row = { task: keyof Tasks; waiting: number; running: number };

/** By queue, over all nodes. What waits for its time, as a purge does for a month, is not counted. */
export function registerJobMetrics(registry: Registry, db: Db): void {
  new Gauge({
    name: 'bottega_jobs',
    help: 'Jobs of each queue that could run and wait, or that run',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      const rows = await readDueJobs(db).catch(() => null);
      for (const queue of rows ? queueNames : []) {
        const own = rows?.filter(({ task }) => queueOf[task] === queue) ?? [];
        this.set(
          { queue, state: 'waiting' },
          own.reduce((sum, { waiting }) => sum + waiting, 0),
        );
        this.set(
          { queue, state: 'running' },
          own.reduce((sum, { running }) => sum + running, 0),
        );
      }
    },
  });
}

async function readDueJobs(db: Db): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select t.identifier as task, count(*) filter (where j.locked_at is null) as waiting,
      count(*) filter (where j.locked_at is not null) as running
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where j.locked_at is not null or (j.run_at <= now() and j.attempts < j.max_attempts)
    group by t.identifier`.execute(db);
  return rows;
}
