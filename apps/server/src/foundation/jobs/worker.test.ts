import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/parts/test-database.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { idleTasks } from '../../testing/service/idle-tasks.ts';
import { openPool } from '../db/pool.ts';
import { createLogger } from '../http/watching/logging.ts';
import { type JobWorker, startJobWorker, type TaskHandlers } from './worker.ts';

const heartbeatMs = 100;
let database: TestDatabase;
let pool: pg.Pool;
let workers: JobWorker[] = [];
const finishers: (() => void)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.connection, { max: 15, onIdleError: () => undefined });
});
afterEach(async () => {
  for (const finish of finishers.splice(0)) finish();
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await pool.query('delete from graphile_worker._private_jobs');
  await pool.query('delete from job_workers');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** A handler whose runs last until they are released. */
function heldHandler() {
  const { promise: released, resolve: finish } = Promise.withResolvers<void>();
  finishers.push(finish);
  const held = {
    runs: 0,
    done: 0,
    finish,
    async handler() {
      held.runs++;
      await released;
      held.done++;
    },
  };
  return held;
}

async function startWorker(purge: TaskHandlers['projects:purge'], log: string[] = []): Promise<JobWorker> {
  const worker = await startJobWorker({
    pool,
    heartbeatMs,
    log: createLogger('info', { write: (line: string) => void log.push(line) }),
    handlers: { ...idleTasks, 'projects:purge': purge },
  });
  workers.push(worker);
  return worker;
}

async function addJob(payload: object = {}): Promise<void> {
  await pool.query("select graphile_worker.add_job('projects:purge', $1)", [JSON.stringify(payload)]);
}
const jobs = async () =>
  (await pool.query('select locked_by, locked_at, attempts, last_error from graphile_worker._private_jobs')).rows;
const noJobs = () => waitFor('the job is done', async () => (await jobs()).length === 0);
/** The state that a killed worker leaves. */
const lockedByDead = (lockedAt = "now() - interval '1 hour'") =>
  pool.query(`update graphile_worker._private_jobs set locked_by = 'pool-dead', locked_at = ${lockedAt}, attempts = 1`);

test('a job runs once with its payload, and its row is gone', async () => {
  const seen: unknown[] = [];
  await startWorker(async (payload) => void seen.push(payload));
  await addJob({ project_id: 'prj_one' });
  await noJobs();
  expect(seen).toEqual([{ project_id: 'prj_one' }]);
});

test('a job that fails is kept for another attempt, and the log says why', async () => {
  const log: string[] = [];
  await startWorker(() => Promise.reject(new Error('the disk is full')), log);
  await addJob();
  await waitFor('the failure is noted', async () => (await jobs())[0]?.last_error);
  expect(await jobs()).toMatchObject([{ attempts: 1, locked_by: null, last_error: 'the disk is full' }]);
  expect(log.join('')).toContain('the disk is full');
});

test('a worker that cannot look for jobs at first begins to work as soon as it can', async () => {
  const log: string[] = [];
  let runs = 0;
  await pool.query('alter table graphile_worker._private_tasks rename to tasks_away');
  try {
    await startWorker(async () => void runs++, log);
    await waitFor('it has failed', () => log.join('').includes('failed to look for jobs'));
  } finally {
    await pool.query('alter table graphile_worker.tasks_away rename to _private_tasks');
  }
  await addJob();
  await noJobs();
  expect(runs).toBe(1);
});

describe('a living worker', () => {
  test('keeps its job for as long as it takes, also beside other workers', async () => {
    const slow = heldHandler();
    await startWorker(slow.handler);
    await startWorker(slow.handler);
    await addJob();
    await waitFor('the job runs', () => slow.runs === 1);
    const begun = Date.now();
    await waitFor('five times as long as the dead are given', () => Date.now() - begun > heartbeatMs * 4 * 5);
    expect(slow.runs).toBe(1);
    expect(await jobs()).toMatchObject([{ attempts: 1, locked_by: expect.any(String) }]);
    slow.finish();
    await noJobs();
    expect(slow.runs).toBe(1);
  });

  test('leaves heartbeats under the name with which it locks its jobs', async () => {
    const slow = heldHandler();
    await startWorker(slow.handler);
    await addJob();
    await waitFor('the job runs', () => slow.runs === 1);
    const [job] = await jobs();
    await waitFor('a beat of that worker', async () => {
      const { rowCount } = await pool.query('select 1 from job_workers where worker_id = $1', [job.locked_by]);
      return rowCount === 1;
    });
  });

  test('finishes its job when it is stopped, and leaves no row behind', async () => {
    const slow = heldHandler();
    const worker = await startWorker(slow.handler);
    await addJob();
    await waitFor('the job runs', () => slow.runs === 1);
    workers = [];
    const stopped = worker.stop();
    await addJob();
    slow.finish();
    await stopped;
    // The job that came after the stop is left for others. If the worker was just looking for jobs, it is finished too.
    const left = await jobs();
    expect(slow).toMatchObject({ runs: 2 - left.length, done: 2 - left.length });
    expect(left.filter((job) => job.locked_by !== null || job.attempts > 0)).toEqual([]);
    expect(slow.done).toBeGreaterThan(0);
    const { rows } = await pool.query('select * from job_workers');
    expect(rows).toEqual([]);
  });
});

describe('a worker that died', () => {
  test('loses its job to a living one within a few heartbeats, and the log says so', async () => {
    const log: string[] = [];
    let runs = 0;
    await addJob();
    await lockedByDead();
    await startWorker(async () => void runs++, log);
    await noJobs();
    expect(runs).toBe(1);
    await waitFor('the log tells', () => log.join('').includes('released the jobs of dead workers'));
  });

  test('keeps its job for at least four heartbeats after its last one', async () => {
    let ranAt = 0;
    await startWorker(async () => {
      ranAt = Date.now();
    });
    await addJob();
    await noJobs();
    ranAt = 0;
    await pool.query("select graphile_worker.add_job('projects:purge', '{}', run_at => now() + interval '1 hour')");
    const diedAt = Date.now();
    await pool.query("insert into job_workers (worker_id) values ('pool-dead')");
    await lockedByDead('now()');
    await pool.query('update graphile_worker._private_jobs set run_at = now()');
    await waitFor('the job is taken up', () => ranAt > 0);
    expect(ranAt - diedAt).toBeGreaterThanOrEqual(heartbeatMs * 4);
  });

  test('keeps its job for as long from when it took it if it never left a heartbeat', async () => {
    let ranAt = 0;
    await addJob();
    await lockedByDead('now()');
    const diedAt = Date.now();
    await startWorker(async () => {
      ranAt = Date.now();
    });
    await waitFor('the job is taken up', () => ranAt > 0);
    expect(ranAt - diedAt).toBeGreaterThanOrEqual(heartbeatMs * 4);
  });

  test('loses its named queue too', async () => {
    let runs = 0;
    await pool.query("select graphile_worker.add_job('projects:purge', '{}', queue_name => 'one at a time')");
    await lockedByDead();
    await pool.query(
      "update graphile_worker._private_job_queues set locked_by = 'pool-dead', locked_at = now() - interval '1 hour'",
    );
    await startWorker(async () => void runs++);
    await noJobs();
    expect(runs).toBe(1);
  });

  test('is forgotten, and its row is deleted', async () => {
    await pool.query("insert into job_workers (worker_id, beat_at) values ('pool-dead', now() - interval '1 hour')");
    await startWorker(async () => undefined);
    await waitFor('its row is gone', async () => {
      const { rows } = await pool.query("select 1 from job_workers where worker_id = 'pool-dead'");
      return rows.length === 0;
    });
  });
});
