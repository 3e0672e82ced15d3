import { openPool } from '../db/pool.ts';
import type { Ground } from '../ground.ts';
import type { Slice } from '../slice.ts';
import { registerJobMetrics } from './metrics.ts';
import { jobConnections } from './queues.ts';
import { type JobWorker, startJobWorker, type TaskHandlers } from './worker.ts';

/** Runs jobs on worker nodes. */
export function createJobs({ config, connection, db, log, role, warn }: Ground, handlers: TaskHandlers): Slice {
  // Jobs have a separate pool. If workers had to wait for a connection behind requests, a living worker could look
  // dead.
  const pool = openPool(connection, {
    max: jobConnections,
    onIdleError: (error) => warn('jobs')(error, 'lost the database connection for jobs'),
  });
  let worker: JobWorker | null = null;
  return {
    async start() {
      if (role !== 'api')
        worker = await startJobWorker({ pool, log, handlers, backupSchedule: config.backups.schedule });
    },
    metrics: (registry) => registerJobMetrics(registry, db),
    drain: async () => worker?.stop(),
    async stop() {
      if (!pool.ending) await pool.end();
    },
  };
}
