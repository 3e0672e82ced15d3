import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../db/pool.ts';
import { readDueJobs } from './jobs.sql.ts';
import { queueNames, queueOf } from './queues.ts';

/**
 * Counts jobs by queue, on all nodes together. Jobs that wait for a certain time, such as a purge in a month, are not
 * counted.
 */
export function registerJobMetrics(registry: Registry, db: Db): void {
  new Gauge({
    name: 'bottega_jobs',
    help: 'Ready and running jobs in each queue',
    labelNames: ['queue', 'state'],
    registers: [registry],
    aggregator: 'max',
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
