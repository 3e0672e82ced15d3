import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, useCli } from '../testing/clients/cli.ts';
import { call } from '../testing/clients/http-client.ts';
import { freePortPair } from '../testing/parts/free-port.ts';
import { createTestDatabase, type TestDatabase } from '../testing/parts/test-database.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { startNode } from '../testing/service/node.ts';
import { urlOf } from './database-url.fixture.ts';

const cli = useCli();
let database: TestDatabase;
let client: pg.Client;
let settings: Record<string, string>;
let api: Running;
let worker: Running;
let key: string;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
  settings = { DATABASE_URL: urlOf(database.connection), BOTTEGA_DATA_DIR: await cli.newDataDir() };
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Creates an empty database, as an operator would. */
async function createEmptyDatabase(): Promise<TestDatabase> {
  const fresh = await createTestDatabase();
  const emptied = new pg.Client(fresh.connection);
  await emptied.connect();
  await emptied.query('drop schema public, graphile_worker cascade');
  await emptied.query('create schema public');
  await emptied.end();
  return fresh;
}

const projectExists = async (id: unknown) =>
  (await client.query('select 1 from projects where id = $1', [id])).rowCount === 1;

/** On several machines each has a role. Here they are several processes on one external database. */
describe('with --role', () => {
  test('worker, the service says so, creates no administrator and answers only the health endpoints', async () => {
    const port = await freePortPair();
    worker = await cli.start({ ...settings, PORT: String(port) }, ['--role', 'worker']);
    expect(worker.stdout()).toContain('Bottega is running as a worker');
    expect(worker.stdout()).not.toContain('btg_live_');
    const url = `http://127.0.0.1:${port}`;
    expect((await call('GET', `${url}/healthz`)).status).toBe(200);
    expect((await call('GET', `${url}/readyz`)).status).toBe(200);
    for (const path of ['/v1/projects', '/openapi.json', '/']) expect((await call('GET', url + path)).status).toBe(404);
  });

  test('api, the service serves requests and leaves the jobs to the worker', async () => {
    worker.signal('SIGTERM');
    await worker.ended;
    api = await cli.start(settings, ['--role', 'api']);
    key = /btg_live_\w+/.exec(api.stdout())?.[0] ?? '';
    const created = await call('POST', `${api.url}/v1/projects`, { token: key, json: { name: 'Doomed' } });
    expect(created.status).toBe(201);
    await call('DELETE', `${api.url}/v1/projects/${created.body.id}`, { token: key });
    await client.query('update graphile_worker._private_jobs set run_at = now()');
    // No process can run it: no worker has left a heartbeat.
    expect((await client.query('select 1 from job_workers')).rowCount).toBe(0);
    expect(await projectExists(created.body.id)).toBe(true);
    const next = await startNode({ connection: database.connection, role: 'worker', settings });
    await waitFor('the worker has run the job', async () => !(await projectExists(created.body.id)));
    await next.close();
  });

  test('worker and --role api, both services end by themselves on SIGTERM, and the database keeps running', async () => {
    api.signal('SIGTERM');
    expect(await Promise.all([worker.ended, api.ended])).toMatchObject([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ]);
    expect((await client.query('select 1 from job_workers')).rowCount).toBe(0);
    const { rows } = await client.query(
      'select application_name from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    expect(rows).toEqual([]);
  });
});

describe('two complete services that start at once on a new external database', () => {
  test('migrate it once, create one administrator, and work side by side', async () => {
    const fresh = await createEmptyDatabase();
    const shared = { DATABASE_URL: urlOf(fresh.connection), BOTTEGA_DATA_DIR: await cli.newDataDir() };
    const both = await Promise.all([cli.start(shared), cli.start(shared)]);
    const printed = both.flatMap(({ stdout }) => stdout().match(/btg_live_\w+/g) ?? []);
    expect(printed).toHaveLength(1);
    for (const { url } of both) {
      const made = await call('POST', `${url}/v1/projects`, {
        token: String(printed[0]),
        json: { name: 'Shared' },
        headers: { 'idempotency-key': 'same-on-both' },
      });
      expect(made.status).toBe(201);
    }
    const list = await call('GET', `${both[0]?.url}/v1/projects`, { token: String(printed[0]) });
    expect(list.body.pagination).toMatchObject({ total: 1 });
    for (const running of both) running.signal('SIGTERM');
    expect(await Promise.all(both.map(({ ended }) => ended))).toMatchObject([{ code: 0 }, { code: 0 }]);
    await fresh.drop();
  });
});
