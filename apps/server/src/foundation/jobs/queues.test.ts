import type pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/parts/test-database.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { idleTasks } from '../../testing/service/idle-tasks.ts';
import { type Db, openDb, openPool } from '../db/pool.ts';
import { transaction } from '../db/transaction.ts';
import { createLogger } from '../http/watching/logging.ts';
import { enqueueJob } from './enqueue.ts';
import { forgetIdleAccounts } from './maintenance.ts';
import { type JobWorker, startJobWorker } from './worker.ts';

let database: TestDatabase;
let pool: pg.Pool;
let db: Db;
const workers: JobWorker[] = [];
let release: PromiseWithResolvers<void>;
let imports: string[];
let mails: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.connection, { max: 20, onIdleError: () => undefined });
  db = openDb(pool);
});
afterEach(async () => {
  release.resolve();
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await pool.query('delete from graphile_worker._private_jobs');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Imports run until they are released. Mails end at once. */
async function start(): Promise<void> {
  release ??= Promise.withResolvers<void>();
  workers.push(
    await startJobWorker({
      pool,
      heartbeatMs: 100,
      log: createLogger('silent'),
      handlers: {
        ...idleTasks,
        'repositories:import': async ({ project_id: id }) => {
          imports.push(id);
          await release.promise;
        },
        'mail:send': async ({ sealed }) => void mails.push(sealed),
      },
    }),
  );
}

function begin(): Promise<void> {
  release = Promise.withResolvers<void>();
  [imports, mails] = [[], []];
  return start();
}

const addImport = (id: string, account: string) =>
  transaction(db, (trx) =>
    enqueueJob(trx, 'repositories:import', { project_id: id, user_id: account, request_id: null }, { account }),
  );
const addMail = (sealed: string, account: string) =>
  transaction(db, (trx) => enqueueJob(trx, 'mail:send', { sealed }, { account }));

test('slow imports, however many, do not keep a mail waiting', async () => {
  await begin();
  for (const account of ['a', 'b', 'c', 'd', 'e', 'f']) await addImport(`of ${account}`, account);
  await waitFor('imports hold all that there is for them', () => imports.length >= 2);
  await addMail('a mail', 'z');
  await waitFor('the mail goes out', () => mails.length === 1);
});

test('an account has one import at a time, and another is served meanwhile', async () => {
  await begin();
  for (const id of ['one', 'two', 'three']) await addImport(id, 'busy');
  await waitFor('its first runs', () => imports.length > 0);
  await addImport('mine', 'other');
  await waitFor('that of the other account runs', () => imports.includes('mine'));
  expect(imports).toEqual(['one', 'mine']);
  release.resolve();
  await waitFor('all have run', () => imports.length === 4);
});

test('an account on two nodes still has one import at a time', async () => {
  await begin();
  await start();
  for (const id of ['one', 'two', 'three']) await addImport(id, 'busy');
  await addImport('mine', 'other');
  await waitFor('one of each runs', () => imports.length === 2);
  expect(imports.toSorted()).toEqual(['mine', 'one']);
});

test('the cleaning forgets an account without jobs, but not one with a job', async () => {
  await begin();
  await addMail('a mail', 'z');
  await waitFor('the mail goes out', () => mails.length === 1);
  const named = async () =>
    (await pool.query(`select from graphile_worker._private_job_queues where queue_name = 'mail:send z'`)).rowCount;
  expect(await named()).toBe(1);
  await addImport('held', 'busy');
  await waitFor('it is cleaned away', async () => {
    await forgetIdleAccounts(db);
    return (await named()) === 0;
  });
  const { rows } = await pool.query('select queue_name from graphile_worker._private_job_queues');
  expect(rows).toEqual([{ queue_name: 'repositories:import busy' }]);
});
