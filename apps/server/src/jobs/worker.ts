import { EventEmitter } from 'node:events';
import { Logger as GraphileLogger, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Tasks } from './enqueue.ts';
import { keepHeartbeat } from './heartbeat.ts';

/** One handler per task; the type makes sure that none is missing. */
export type TaskHandlers = { [Name in keyof Tasks]: (payload: Tasks[Name]) => Promise<void> };

type Options = { pool: pg.Pool; log: Logger; handlers: TaskHandlers; heartbeatMs?: number };

export type JobWorker = { stop(): Promise<void> };

const concurrency = 2;

/** Cleaning runs every hour, at a quarter past, and is caught up after a pause of up to a day. */
const crontab = '15 * * * * maintenance:clean ?fill=1d&jobKey=maintenance:clean {}';

export async function startJobWorker({ pool, log, handlers, heartbeatMs = 5_000 }: Options): Promise<JobWorker> {
  const events: WorkerEvents = new EventEmitter();
  const heartbeat = keepHeartbeat({ pool, events, log, everyMs: heartbeatMs });
  const runner: Runner = await run({
    pgPool: pool,
    events,
    concurrency,
    // The process's own signal handling drains; two of them would race.
    noHandleSignals: true,
    pollInterval: 2_000,
    crontab,
    taskList: handlers as unknown as TaskList,
    logger: new GraphileLogger(() => (level, message) => {
      if (level === 'error' || level === 'warning') log.warn({ source: 'jobs' }, message);
    }),
  });
  return {
    async stop() {
      await runner.stop();
      await heartbeat.stop();
    },
  };
}
