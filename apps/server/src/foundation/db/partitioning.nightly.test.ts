import pg from 'pg';
import { afterEach, expect, inject, test } from 'vitest';
import { createEmptyDatabase, migrateOnce } from '../../testing/parts/empty-database.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { newId } from '../ids.ts';
import { migrate, migrationNames } from './migrate.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A database as the previous version left it. */
async function olderDatabase() {
  const { connection, drop } = await createEmptyDatabase();
  cleanups.push(drop);
  await migrateOnce(
    connection,
    migrationNames().filter((name) => name < '0036'),
  );
  const connect = async () => {
    const client = new pg.Client({ ...inject('postgres'), database: connection.database });
    client.on('error', () => undefined);
    await client.connect();
    cleanups.push(() => client.end());
    return client;
  };
  return { connection, connect };
}

const tables = ['events', 'webhook_deliveries', 'webhook_attempts', 'deployment_logs', 'audit_log'];

/** Uses the statements of a node of that version: they name the keys as conflicts, and draw numbers. */
async function writeOne(client: pg.Client): Promise<void> {
  const id = newId('dlv');
  await client.query('begin');
  await client.query("insert into audit_log (id, action, account_id) values ($1, 'user.signed_in', 'usr_1')", [
    newId('aud'),
  ]);
  await client.query("insert into events (id, type, account_id, data) values ($1, 'user.updated', 'usr_1', '{}')", [
    newId('evt'),
  ]);
  await client.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event_type, format, kind)
     values ($1, 'whk_1', 'evt_1', 'user.updated', 'core', 'event') on conflict (id) do update set holder = 1`,
    [id],
  );
  await client.query(
    "insert into webhook_attempts (delivery_id, attempt, started_at, request_headers) values ($1, 1, now(), '{}')",
    [id],
  );
  await client.query(
    "insert into deployment_logs (deployment_id, seq, at, level, stream, message) values ($1, 1, now(), 'info', 'stdout', '')",
    [newId('dep')],
  );
  await client.query('commit');
}

const counts = async (client: pg.Client) =>
  Promise.all(tables.map(async (table) => (await client.query(`select count(*)::int as n from ${table}`)).rows[0].n));

test('tables become partitioned while nodes of the former version write and read, and no row is lost', async () => {
  const { connection, connect } = await olderDatabase();
  const [writer, reader] = [await connect(), await connect()];
  let written = 0;
  let writing = true;
  const writes = (async () => {
    for (; writing; written++) await writeOne(writer);
  })();
  await waitFor('some are written', () => written > 20);
  // A reader that takes longer than a migration waits.
  await reader.query('begin');
  await reader.query('select count(*) from events');
  const migrating = migrateOnce(connection);
  const hasWaited = async () =>
    (await reader.query("select from pg_locks where relation = 'events'::regclass and not granted")).rowCount !== 0;
  await waitFor('it waits', hasWaited);
  const before = written;
  await waitFor('others pass meanwhile', () => written > before + 20);
  await reader.query('commit');
  expect(await migrating).toEqual(expect.arrayContaining(['0036-events-by-time.sql', '0038-logs-by-time.sql']));
  const after = written;
  await waitFor('it goes on', () => written > after + 20);
  writing = false;
  await writes;
  expect(await counts(reader)).toEqual(tables.map(() => written));
  const { rows } = await reader.query('select count(distinct seq)::int as seqs, max(seq)::int as most from events');
  expect(rows[0].seqs).toBe(written);
  expect(rows[0].most).toBeGreaterThanOrEqual(written);
});

test('a migration that is killed while it waits leaves the tables as they were, and can be run again', async () => {
  const { connection, connect } = await olderDatabase();
  const [reader, killer] = [await connect(), await connect()];
  await writeOne(killer);
  await reader.query('begin');
  await reader.query('select count(*) from webhook_deliveries');
  const migrator = await connect();
  const failed = migrate(migrator, async () => undefined).catch((error: unknown) => error);
  await waitFor('it waits', async () => {
    const { rowCount } = await killer.query(
      `select pg_terminate_backend(pid) from pg_locks
       where relation = 'webhook_deliveries'::regclass and not granted and mode = 'AccessExclusiveLock'`,
    );
    return rowCount === 1;
  });
  expect(await failed).toBeInstanceOf(Error);
  await reader.query('commit');
  expect((await killer.query("select relkind from pg_class where relname = 'webhook_deliveries'")).rows).toEqual([
    { relkind: 'r' },
  ]);
  await writeOne(killer);
  await migrateOnce(connection);
  await writeOne(killer);
  expect(await counts(killer)).toEqual(tables.map(() => 3));
});

test('every key and index of a table also exists in its partitions, and the audit log keeps its guards', async () => {
  const { connection, connect } = await olderDatabase();
  const client = await connect();
  await writeOne(client);
  await migrateOnce(connection);
  const { rows } = await client.query(
    `select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
     join pg_class t on t.oid = i.indrelid where t.relkind = 'p' and not i.indisvalid`,
  );
  expect(rows).toEqual([]);
  for (const statement of ['delete from audit_log', 'truncate audit_log', 'truncate audit_log_first']) {
    await expect(client.query(statement)).rejects.toThrow('append-only');
  }
});
