import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrateDatabase } from '../../../commands/open-database.ts';
import { newApiKey } from '../../../identity/auth/api-key-format.ts';
import { issueApiKey } from '../../../identity/auth/index.ts';
import { createUser } from '../../../identity/users/index.ts';
import { expectError, expectRateHeaders } from '../../../testing/clients/expect-error.ts';
import { call } from '../../../testing/clients/http-client.ts';
import { toldMs, waitFor } from '../../../testing/parts/wait-for.ts';
import { idleTasks } from '../../../testing/service/idle-tasks.ts';
import { startNode } from '../../../testing/service/node.ts';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../../db/embedded/index.ts';
import { openDb, openPool } from '../../db/pool.ts';
import { readLaneName } from '../../db/read-lane.ts';
import { transaction } from '../../db/transaction.ts';
import { jobConnections } from '../../jobs/queues.ts';
import { startJobWorker } from '../../jobs/worker.ts';
import { createLogger } from '../watching/logging.ts';

const noCause = { actorId: null, requestId: 'req_test', idempotencyKey: null };
const quiet = { holder: 'service' as const, description: 'a test', log: { info() {}, warn() {} } };
const away = { status: 503, code: 'SERVICE_UNAVAILABLE' } as const;

let dataDir: string;
let database: EmbeddedDatabase;
let node: Awaited<ReturnType<typeof startNode>>;
let user: { id: string; key: string };

// A separate server, because this test stops and starts it.
const start = async () => {
  database = await openEmbeddedDatabase({ ...quiet, dataDir });
};
const newKeyFor = (userId: string) =>
  transaction(openDb(node.pool), (trx) => issueApiKey(trx, { userId, name: 'test', scopes: [], expiresAt: null }));
const get = (path: string, token?: string) =>
  call('GET', `${node.url}${path}`, { ...(token !== undefined && { token }) });
const works = (token: string) =>
  waitFor('the service works again by itself', async () => {
    const answer = await get('/v1/user', token);
    return answer.status === 200 && answer;
  });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bottega-away-'));
  await start();
  const { connection } = database;
  const pool = openPool(connection, { max: 1, onIdleError: () => undefined });
  await migrateDatabase({ connection, pool, close: () => pool.end() });
  await pool.end();
  node = await startNode({ connection, role: 'all' });
  const account = {
    email: 'a@example.com',
    name: 'A',
    password: 'correct horse',
    plan: 'free',
    isAdmin: false,
  } as const;
  const made = await transaction(openDb(node.pool), (trx) => createUser(trx, { ...account, source: 'test' }, noCause));
  user = { id: made.id, key: (await newKeyFor(made.id)).key };
});
afterAll(async () => {
  try {
    await node?.close();
  } finally {
    await database?.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

describe('while the database is away', () => {
  beforeAll(async () => {
    expect((await get('/v1/user', user.key)).headers.get('x-ratelimit-remaining')).toBe('999');
    await database.close();
  });
  afterAll(start);

  test.each([
    ['a read', 'GET', '/v1/user', undefined],
    ['a point read', 'GET', `/v1/projects/prj_${'0'.repeat(26)}`, undefined],
    ['a list', 'GET', '/v1/projects', undefined],
    ['a write', 'POST', '/v1/projects', { name: 'Lost' }],
    ['a write below the other mount', 'PATCH', '/api/v1/user', { name: 'Lost' }],
  ])(
    '%s is soon a 503 in the documented form, with Retry-After and every header',
    async (_what, method, path, json) => {
      const begun = Date.now();
      const answer = await call(method, `${node.url}${path}`, { token: user.key, json });
      expect(Date.now() - begun).toBeLessThan(6_000);
      expectError(answer, away);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    },
  );

  test('an unknown key is a 503 too, not a 401, since nobody can check it', async () => {
    expectError(await get('/v1/user', newApiKey()), away);
  });

  test('requests that need no database are answered as usual', async () => {
    expectError(await get('/v1/user'), { status: 401, code: 'AUTHENTICATION_ERROR' });
    expectError(await get('/v1/user', 'btg_live_mistyped'), { status: 401, code: 'AUTHENTICATION_ERROR' });
    expectError(await get('/v1/no/such/route'), { status: 404, code: 'NOT_FOUND' });
    expect((await get('/openapi.json')).status).toBe(200);
  });

  test('the process is healthy but not ready', async () => {
    expect((await get('/healthz')).status).toBe(200);
    const ready = await get('/readyz');
    expect(ready.status).toBe(503);
    expect(ready.body).toMatchObject({ status: 'not_ready', checks: { database: 'away', draining: false } });
    expect(ready.headers.get('retry-after')).toBe('2');
    expectRateHeaders(ready.headers);
    expect((await get('/metrics')).status).toBe(200);
  });

  test('many requests at once are all answered', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => get('/v1/user', user.key)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  });
});

describe('when the database is back', () => {
  test('everything works without a restart, and the failed requests were not counted', async () => {
    const answer = await works(user.key);
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('998');
    await waitFor('it is ready', async () => (await get('/readyz')).status === 200);
    const created = await call('POST', `${node.url}/v1/projects`, { token: user.key, json: { name: 'After' } });
    expect(created.status).toBe(201);
  });

  test('the node hears of revocations again', async () => {
    const { id, key } = await newKeyFor(user.id);
    expect((await get('/v1/user', key)).status).toBe(200);
    // As another node would do it.
    await node.pool.query('with gone as (delete from api_keys where id = $1) select pg_notify($2, $3)', [
      id,
      'bottega_credentials',
      '',
    ]);
    await waitFor('the key is refused', async () => (await get('/v1/user', key)).status === 401, toldMs);
  });

  test('jobs run again', async () => {
    const created = await call('POST', `${node.url}/v1/projects`, { token: user.key, json: { name: 'Purged' } });
    await call('DELETE', `${node.url}/v1/projects/${created.body.id}`, { token: user.key });
    await node.pool.query('update graphile_worker._private_jobs set run_at = now()');
    await waitFor('the project is purged', async () => {
      const { rowCount } = await node.pool.query('select 1 from projects where id = $1', [created.body.id]);
      return rowCount === 0;
    });
  });
});

test('connections that are cut while the server goes on are replaced after a short interruption at most', async () => {
  for (let round = 0; round < 3; round++) {
    await works(user.key);
    const other = openPool(database.connection, { max: 1, onIdleError: () => undefined });
    await other.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await other.end();
    const answers = await Promise.all(Array.from({ length: 20 }, () => get('/v1/user', user.key)));
    for (const answer of answers) if (answer.status !== 200) expectError(answer, away);
  }
  await works(user.key);
  const { id, key } = await newKeyFor(user.id);
  await waitFor('the listener is back', async () => {
    const { rowCount } = await node.pool.query(
      "select 1 from pg_stat_activity where query ilike 'listen %credentials%'",
    );
    return rowCount === 1;
  });
  expect((await get('/v1/user', key)).status).toBe(200);
  await node.pool.query('with gone as (delete from api_keys where id = $1) select pg_notify($2, $3)', [
    id,
    'bottega_credentials',
    '',
  ]);
  await waitFor('the key is refused', async () => (await get('/v1/user', key)).status === 401, toldMs);
});

test('point reads are answered as usual at the moment in which their connections are cut', async () => {
  await works(user.key);
  // Another account, whose bucket is still full.
  const account = { email: 'b@example.com', name: 'B', plan: 'enterprise', isAdmin: false, source: 'test' } as const;
  const { id } = await transaction(openDb(node.pool), (trx) =>
    createUser(trx, { ...account, password: 'correct horse' }, noCause),
  );
  const { key } = await newKeyFor(id);
  const created = await call('POST', `${node.url}/v1/projects`, { token: key, json: { name: 'Read' } });
  const read = () => get(`/v1/projects/${created.body.id}`, key);
  await waitFor('the lane is open', async () => {
    await read();
    const { rowCount } = await node.pool.query('select 1 from pg_stat_activity where application_name = $1', [
      readLaneName,
    ]);
    return rowCount === 2;
  });
  const reads = Array.from({ length: 200 }, read);
  await node.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
    readLaneName,
  ]);
  const answers = await Promise.all(reads);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

test('a job in progress when the database goes away is run again once it is back', async () => {
  // Its worker would take the job too.
  await node.close();
  const pool = openPool(database.connection, { max: jobConnections, onIdleError: () => undefined });
  let runs = 0;
  const { promise: held, resolve: finish } = Promise.withResolvers<void>();
  const worker = await startJobWorker({
    pool,
    log: createLogger('silent'),
    heartbeatMs: 250,
    handlers: {
      ...idleTasks,
      'projects:purge': async () => {
        runs++;
        await held;
      },
    },
  });
  try {
    await pool.query("select graphile_worker.add_job('projects:purge', '{}')");
    await waitFor('the job runs', () => runs === 1);
    await database.close();
    finish();
    await start();
    await waitFor('the job is run again', () => runs === 2);
    await waitFor('it is done', async () => {
      const { rowCount } = await pool
        .query('select 1 from graphile_worker._private_jobs')
        .catch(() => ({ rowCount: 1 }));
      return rowCount === 0;
    });
  } finally {
    await worker.stop();
    await pool.end();
  }
});
