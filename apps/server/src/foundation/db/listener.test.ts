import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/parts/test-database.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { type Listener, listen, listenerName } from './listener.ts';

let database: TestDatabase;
let client: pg.Client;
let listener: Listener;
const heard: (string | undefined)[] = [];
const stopped: number[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
  const onChange = (about?: string) => void heard.push(about);
  listener = listen({ connection: database.connection, channel: 'bottega_test', onChange, retryMs: 50, pingMs: 200 });
  await waitFor('it listens', () => listener.isListening());
  heard.length = 0;
});
afterEach(async () => {
  for (const pid of stopped.splice(0)) process.kill(pid, 'SIGCONT');
  await listener.close();
  await client.end();
  await database.drop();
});

async function listenersPid(): Promise<number> {
  const { rows } = await client.query(
    'select pid from pg_stat_activity where datname = current_database() and application_name = $1',
    [listenerName],
  );
  return rows[0].pid;
}

test('a notification is heard, with what it is about', async () => {
  await client.query("select pg_notify('bottega_test', 'somebody')");
  await waitFor('it is heard', () => heard.includes('somebody'));
});

test('a connection that hangs is replaced, and listeners are told that they may have missed something', async () => {
  const pid = await listenersPid();
  process.kill(pid, 'SIGSTOP');
  stopped.push(pid);
  await client.query("select pg_notify('bottega_test', 'nobody')");
  await waitFor('anything may have changed', () => heard.includes(undefined));
  expect(heard).not.toContain('nobody');
  await client.query("select pg_notify('bottega_test', 'somebody')");
  await waitFor('it hears again', () => heard.includes('somebody'));
});
