import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { call } from '../../../testing/clients/http-client.ts';
import { waitFor } from '../../../testing/parts/wait-for.ts';
import { createProject, onProject } from '../../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../../testing/service/test-service.ts';

const service = useTestService({ role: 'api' });
let owner: TestUser;
let locked: string;
let other: string;
/** Locks the project's row, like another node that is paused in the middle of a write. */
let holder: pg.Client;
let watcher: pg.Client;

beforeEach(async () => {
  owner = await service.createUser();
  locked = (await createProject(service, owner)).id;
  other = (await createProject(service, owner)).id;
  holder = new pg.Client(service.database.connection);
  watcher = new pg.Client(service.database.connection);
  await Promise.all([holder.connect(), watcher.connect()]);
  await holder.query('begin');
  await holder.query('select from projects where id = $1 for update', [locked]);
});
afterEach(() => Promise.all([holder.end(), watcher.end()]));

const rename = (id: string, name: string) => onProject(service, owner, id, ['PATCH', { name }]);

async function countWaiting(): Promise<number> {
  const { rows } = await watcher.query(
    "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0].n;
}

test('a project that is held up takes a quarter of the connections, and no other project waits for it', async () => {
  const waiting = Array.from({ length: 30 }, (_, n) => rename(locked, `Name ${n}`));
  await waitFor('some wait for the row', async () => (await countWaiting()) === 5);
  expect((await rename(other, 'Free')).status).toBe(200);
  expect((await call('GET', `${service.url}/readyz`)).status).toBe(200);
  expect((await onProject(service, owner, locked, ['GET'])).status).toBe(200);
  expect(await countWaiting()).toBe(5);
  await holder.query('rollback');
  // On a machine that stalls, some may have been told to try again.
  for (const { status } of await Promise.all(waiting)) expect([200, 503]).toContain(status);
  expect((await rename(locked, 'Free')).status).toBe(200);
});

test('waiting for the lock of a row, or for an idle transaction, has a time limit', async () => {
  const { rows } = await service.pool.query(
    "select current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle",
  );
  expect(rows).toEqual([{ lock: '10s', idle: '15s' }]);
});
