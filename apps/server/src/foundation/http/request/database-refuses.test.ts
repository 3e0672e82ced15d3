import { beforeAll, expect, test } from 'vitest';
import { expectError } from '../../../testing/clients/expect-error.ts';
import { call } from '../../../testing/clients/http-client.ts';
import { waitFor } from '../../../testing/parts/wait-for.ts';
import { type TestUser, useTestService } from '../../../testing/service/test-service.ts';

/** The database is available for reads, but accepts no writes. */

const service = useTestService({ role: 'api' });
let user: TestUser;
beforeAll(async () => {
  user = await service.createUser();
});

const create = () => call('POST', `${service.url}/v1/projects`, { token: user.key, json: { name: 'New' } });
const ready = () => call<{ checks: { database: string } }>('GET', `${service.url}/readyz`);

async function expectNotTaken(): Promise<void> {
  const answer = await create();
  expectError(answer, { status: 503, code: 'SERVICE_UNAVAILABLE' });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await call('GET', `${service.url}/v1/projects`, { token: user.key })).status).toBe(200);
}

test('a node is ready even if all of its connections are taken', async () => {
  const taken = await Promise.all(Array.from({ length: service.pool.options.max ?? 0 }, () => service.pool.connect()));
  try {
    expect((await ready()).body).toMatchObject({ status: 'ready', checks: { database: 'ok' } });
  } finally {
    for (const client of taken) client.release();
  }
});

/** Applies to new connections, and ends the existing ones. */
async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const client = await service.pool.connect();
  const { database = '' } = service.database.connection;
  await client.query('set default_transaction_read_only = off');
  await client.query(`alter database ${database} set default_transaction_read_only = ${value}`);
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  client.release(true);
}

test('a write to a read-only database, such as a standby, is a 503 with Retry-After, and the node reports it', async () => {
  await setReadOnly('on');
  const told = await waitFor('the node knows', async () => {
    const answer = await ready();
    return answer.body.checks.database === 'read_only' && answer;
  });
  expect(told.status).toBe(503);
  await expectNotTaken();
  await setReadOnly('off');
  await waitFor('it takes writes again', async () => (await create()).status === 201);
  await waitFor('it is ready again', async () => (await ready()).status === 200);
});

test('a write to a database whose disk is full is a 503 with Retry-After, and the node reports it', async () => {
  await service.pool.query(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
    create trigger refuse before insert on projects execute function refuse()`);
  expect((await ready()).status).toBe(200);
  await expectNotTaken();
  const full = await ready();
  expect(full.status).toBe(503);
  expect(full.body.checks).toEqual({ database: 'full', draining: false });
  await service.pool.query('drop trigger refuse on projects');
  expect((await create()).status).toBe(201);
});
