import pg from 'pg';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { createEmptyDatabase, migrateOnce as migrateDatabase } from '../../testing/parts/empty-database.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { MigrationError, migrate, migrationNames } from './migrate.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function connect(database: string): Promise<pg.Client> {
  const client = new pg.Client({ ...inject('postgres'), database });
  client.on('error', () => undefined);
  await client.connect();
  cleanups.push(() => client.end());
  return client;
}

/** Returns the name of an empty database, which is dropped after the test. */
async function emptyDatabase(): Promise<string> {
  const { connection, drop } = await createEmptyDatabase();
  cleanups.push(drop);
  return connection.database;
}

const migrateOnce = (database: string) => migrateDatabase({ ...inject('postgres'), database });

const appliedNames = async (client: pg.Client) =>
  (await client.query('select name from migrations order by name')).rows.map(({ name }) => name);
const tables = async (client: pg.Client) =>
  (await client.query("select tablename from pg_tables where schemaname = 'public' order by 1")).rows.map(
    ({ tablename }) => tablename,
  );
const heldLocks = async (client: pg.Client) =>
  (
    await client.query(
      "select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
    )
  ).rowCount;

test('the names of migrations are four digits and a word or more, each number once, in order', () => {
  const names = migrationNames();
  expect(names.length).toBeGreaterThan(0);
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1));
});

test('an empty database gets every migration, noted with its time; a second run applies none', async () => {
  const database = await emptyDatabase();
  expect(await migrateOnce(database)).toEqual(migrationNames());
  const client = await connect(database);
  expect(await appliedNames(client)).toEqual(migrationNames());
  expect(await tables(client)).toEqual(
    expect.arrayContaining(['api_keys', 'events', 'migrations', 'projects', 'users']),
  );
  const { rowCount } = await client.query('select 1 from graphile_worker.migrations');
  expect(rowCount).toBeGreaterThan(0);
  expect(await migrateOnce(database)).toEqual([]);
});

test('when several migrators start on an empty database, one applies everything and the others wait', async () => {
  const database = await emptyDatabase();
  const results = await Promise.all(Array.from({ length: 4 }, () => migrateOnce(database)));
  expect(results.flat()).toEqual(migrationNames());
  expect(results.filter((applied) => applied.length > 0)).toHaveLength(1);
  const client = await connect(database);
  expect(await appliedNames(client)).toEqual(migrationNames());
  expect(await heldLocks(client)).toBe(0);
});

describe('a database that is newer than the code', () => {
  test('is refused in one line that names its unknown migration, and stays as it was', async () => {
    const database = await emptyDatabase();
    await migrateOnce(database);
    const client = await connect(database);
    await client.query("insert into migrations (name) values ('9999-from-the-future.sql')");
    const before = await tables(client);
    const refused = migrateOnce(database);
    await expect(refused).rejects.toThrow(MigrationError);
    await expect(refused).rejects.toThrow(/^The database is newer than this version .* 9999-from-the-future\.sql\.$/);
    expect(await tables(client)).toEqual(before);
    expect(await heldLocks(client)).toBe(0);
    await client.query("delete from migrations where name like '9999%'");
    expect(await migrateOnce(database)).toEqual([]);
  });
});

test('a migration that has to wait for a lock does not hold up others, and is applied once it can be', async () => {
  const database = await emptyDatabase();
  await migrateOnce(database);
  const [reading, writing] = [await connect(database), await connect(database)];
  // As an earlier version left it.
  const name = migrationNames().find((one) => one.endsWith('live-owners.sql'));
  await reading.query('drop index live_owners_epoch, live_texts_unsaved');
  await reading.query('delete from migrations where name = $1', [name]);
  await reading.query('begin');
  await reading.query('lock table live_owners in row exclusive mode');
  const applied = migrateOnce(database);
  const hasWaited = async () =>
    (await writing.query("select from pg_locks where relation = 'live_owners'::regclass and not granted")).rowCount ===
    1;
  await waitFor('it waits', hasWaited);
  await writing.query('update live_owners set expires_at = now()');
  await reading.query('rollback');
  expect(await applied).toEqual([name]);
});

describe('a migration that fails', () => {
  test('leaves nothing behind, is named in the error, and can be run again', async () => {
    const database = await emptyDatabase();
    const client = await connect(database);
    // A table of the same name makes a later statement of the first migration fail.
    await client.query('create table idempotent_answers (in_the_way text)');
    const failed = migrateOnce(database);
    await expect(failed).rejects.toThrow(MigrationError);
    await expect(failed).rejects.toThrow(
      /^Migration 0001-foundation\.sql failed: .*idempotent_answers.*already exists$/,
    );
    expect(await tables(client)).toEqual(['idempotent_answers', 'migrations']);
    expect(await appliedNames(client)).toEqual([]);
    expect(await heldLocks(client)).toBe(0);
    await client.query('drop table idempotent_answers');
    expect(await migrateOnce(database)).toEqual(migrationNames());
  });

  test('of another library does not undo ours, and releases the lock', async () => {
    const database = await emptyDatabase();
    const client = await connect(database);
    const broken = () => Promise.reject(new Error('theirs'));
    await expect(migrate(client, broken)).rejects.toThrow('theirs');
    expect(await appliedNames(client)).toEqual(migrationNames());
    expect(await heldLocks(client)).toBe(0);
    expect(await migrateOnce(database)).toEqual([]);
  });
});

test('a server older than PostgreSQL 15 is refused before anything is written', async () => {
  const asked: string[] = [];
  const old = {
    query: async (text: string) => {
      asked.push(text);
      return { rows: [{ number: 140_011 }] };
    },
  } as unknown as pg.ClientBase;
  await expect(migrate(old, async () => undefined)).rejects.toThrow('Bottega needs PostgreSQL 15 or newer.');
  expect(asked).toHaveLength(1);
});
