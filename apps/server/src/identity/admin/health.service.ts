import type { AdminHealth } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { readDatabaseSize, readQueues, readWorkers } from './health.sql.ts';

export type HealthSources = {
  db: Db;
  pool: { totalCount: number; idleCount: number; waitingCount: number };
  isDraining: () => boolean;
  /**
   * Functions that return the facts of a slice, by the name of the slice, such as open sockets or the limits of builds.
   */
  parts: Record<string, () => Promise<unknown> | unknown>;
};

/**
 * Longest time, in seconds, that a ready job should wait. If one waits longer, the workers cannot keep up, or there is
 * none.
 */
const longestReadySeconds = 60;

export async function readHealth({ db, pool, isDraining, parts }: HealthSources): Promise<AdminHealth> {
  const begun = performance.now();
  const sizeBytes = await readDatabaseSize(db);
  const latencyMs = performance.now() - begun;
  const [jobs, workers] = await Promise.all([readQueues(db), readWorkers(db)]);
  const told = await Promise.all(Object.entries(parts).map(async ([name, read]) => [name, await read()] as const));
  const keepsUp = jobs.every(({ oldest_ready_seconds: seconds }) => (seconds ?? 0) < longestReadySeconds);
  const hasFailed = jobs.some(({ failed }) => failed > 0);
  return {
    status: keepsUp && !hasFailed && workers.some(({ alive }) => alive) ? 'ok' : 'degraded',
    checked_at: new Date().toISOString(),
    node: {
      uptime_seconds: Math.round(process.uptime()),
      memory_bytes: process.memoryUsage.rss(),
      node_version: process.versions.node,
      draining: isDraining(),
    },
    database: {
      latency_ms: Math.round(latencyMs * 10) / 10,
      size_bytes: sizeBytes,
      connections: { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount },
    },
    jobs,
    workers: workers.map(({ worker_id: id, beat_at, alive }) => ({ id, last_seen: beat_at.toISOString(), alive })),
    parts: Object.fromEntries(told),
  };
}
