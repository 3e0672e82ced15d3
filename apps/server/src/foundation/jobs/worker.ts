import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Logger as GraphileLogger,
  parseCrontab,
  run,
  type Task,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import { ConfigError } from '../config/index.ts';
import { pingDatabase } from '../db/database.sql.ts';
import { type Db, openDb } from '../db/pool.ts';
import { span } from '../tracing/span.ts';
import { type JobHeartbeat, keepJobHeartbeat } from './heartbeat.ts';
import { type QueueName, queueNames, queueOf, workersOf } from './queues.ts';
import type { Tasks } from './tasks.ts';

/** One handler per task. The type ensures that none is missing. */
export type TaskHandlers = { [Name in keyof Tasks]: (payload: Tasks[Name]) => Promise<void> };

type Options = {
  pool: pg.Pool;
  log: Logger;
  handlers: TaskHandlers;
  heartbeatMs?: number;
  /** Five fields of a crontab, in UTC. */
  backupSchedule?: string | null;
};

export type JobWorker = { stop(): Promise<void> };

const restartPauseMs = 1_000;

/**
 * Cleaning runs every hour, at a quarter past. If no worker ran at that time, the missed run is started as soon as a
 * worker runs, unless that is more than a day later.
 */
const cleaning = '15 * * * * maintenance:clean ?fill=1d&jobKey=maintenance:clean {}';
/** Checks the domains that are due. Only one such job exists at a time. */
const domains = '* * * * * domains:check ?max=1&jobKey=domains:check {}';
/** Looks for projects whose new objects should be packed. */
const packing = '*/5 * * * * repositories:look ?max=1&jobKey=repositories:look {}';
/**
 * If no worker ran at the scheduled time, the backup is made as soon as a worker runs, unless that is more than a day
 * later. A backup that fails is retried a few times before the next one.
 */
const backups = (schedule: string) => `${schedule} backups:make ?fill=1d&max=5&jobKey=backups:make {}`;

type Queue = Pick<Options, 'pool' | 'log' | 'handlers'> & {
  crontab: string;
  db: Db;
  name: QueueName;
  heartbeat: JobHeartbeat;
};

/** Starts workers for every queue, under one heartbeat. */
export async function startJobWorker({
  heartbeatMs = 5_000,
  backupSchedule = null,
  ...options
}: Options): Promise<JobWorker> {
  const db = openDb(options.pool);
  const crontab = [cleaning, domains, packing, ...(backupSchedule === null ? [] : [backups(backupSchedule)])].join(
    '\n',
  );
  mustBeTimes(crontab);
  const heartbeat = keepJobHeartbeat({ db, log: options.log, everyMs: heartbeatMs });
  const started = await Promise.allSettled(
    queueNames.map((name) => keepQueue({ ...options, crontab, db, name, heartbeat })),
  );
  const stop = async () => {
    await Promise.all(started.map((queue) => (queue.status === 'fulfilled' ? queue.value.stop() : undefined)));
    await heartbeat.stop();
  };
  const failed = started.find((queue) => queue.status === 'rejected');
  if (!failed) return { stop };
  await stop();
  throw failed.reason;
}

/**
 * Throws if a schedule is not valid. The schedule of backups is the only part of the crontab that an operator writes.
 */
function mustBeTimes(crontab: string): void {
  try {
    parseCrontab(crontab);
  } catch (error) {
    throw new ConfigError(`Bad setting BOTTEGA_BACKUP_SCHEDULE: ${(error as Error).message}`);
  }
}

/**
 * graphile-worker stops for good if it cannot record the end of a job, for example because the database becomes
 * unavailable at that moment. So it is restarted whenever it ends without a request, and the heartbeat frees the jobs
 * that it left locked. If a worker could not look up its tasks at the start, because the database was busy or
 * unavailable, it never tries again and fails at every job. Such a worker is stopped, so that a new one can start
 * properly.
 */
async function keepQueue(queue: Queue): Promise<JobWorker> {
  const stopping = new AbortController();
  let current = await runQueue(queue);
  const kept = (async () => {
    for (;;) {
      await current.ended;
      if (stopping.signal.aborted) return;
      await delay(restartPauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      queue.log.warn({ source: 'jobs', queue: queue.name }, 'the job worker exited; restarting it');
      current = await runQueue(queue).catch(() => ended);
      if (stopping.signal.aborted) await current.stop();
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await current.stop();
      await kept;
    },
  };
}

type Running = { ended: Promise<void>; stop(): Promise<void> };
const ended: Running = { ended: Promise.resolve(), stop: () => Promise.resolve() };

async function runQueue({ pool, crontab, db, log, handlers, name, heartbeat }: Queue): Promise<Running> {
  const events: WorkerEvents = new EventEmitter();
  const leave = heartbeat.join(events);
  const runner = await run({
    pgPool: pool,
    events,
    concurrency: workersOf[name],
    // The process itself handles signals and drains. A second handler would race with that.
    noHandleSignals: true,
    pollInterval: 2_000,
    // Without these delays of 0, the worker would not wait until the end of a job is recorded, and a failure to record
    // it would end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    ...(queueOf['maintenance:clean'] === name ? { crontab } : { parsedCronItems: [] }),
    taskList: tasksOf(name, handlers),
    logger: new GraphileLogger(() => (level, message) => {
      if (level === 'error' || level === 'warning') log.warn({ source: 'jobs' }, message);
    }),
  }).catch(async (error: unknown) => {
    await leave();
    throw error;
  });
  endWhenStuck({ db, events, log, end: () => runner.stop() });
  const over = runner.promise.catch(() => undefined).then(leave);
  return {
    ended: over,
    async stop() {
      // The runner may have ended by itself.
      await runner.stop().catch(() => undefined);
      await over;
    },
  };
}

function tasksOf(name: QueueName, handlers: TaskHandlers): TaskList {
  const own = Object.entries(handlers).filter(([task]) => queueOf[task as keyof Tasks] === name);
  return Object.fromEntries(own.map(([task, handler]) => [task, traced(task, handler as Task)]));
}

function traced(task: string, handler: Task): Task {
  return async (payload, helpers) => {
    const { request_id: causedBy = null } = payload as { request_id?: string | null };
    const attributes = { 'bottega.job.task': task, 'bottega.job.attempt': helpers.job.attempts };
    await span({ name: `job ${task}`, kind: 'consumer', attributes, begins: { causedBy } }, async () =>
      handler(payload, helpers),
    );
  };
}

/** Number of failures in a row after which the database is checked. */
const maxFailures = 2;

function endWhenStuck(options: { db: Db; events: WorkerEvents; log: Logger; end(): Promise<void> }): void {
  const { db, events, log, end } = options;
  let failures = 0;
  const works = () => {
    failures = 0;
  };
  events.on('worker:getJob:empty', works);
  events.on('job:start', works);
  events.on('worker:getJob:error', ({ error }) => {
    failures++;
    log.warn({ source: 'jobs', err: error }, 'failed to look for jobs');
    if (failures < maxFailures) return;
    // The worker is ended only if the database responds. If it is unavailable for everyone, a restart would not help.
    pingDatabase(db).then(
      () => failures >= maxFailures && void end().catch(() => undefined),
      () => undefined,
    );
  });
}
