import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate, migrationNames } from '../foundation/db/migrate.ts';
import { relationsOf } from '../foundation/db/migrated-relations.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { useBackups } from './backups.fixture.ts';
import { findStrangers } from './strangers.sql.ts';
import { listTables } from './tables.sql.ts';

const service = useTestService();
const backups = useBackups();

type Connection = Awaited<ReturnType<typeof backups.newDatabase>>;

async function connected<T>(connection: Connection, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  return act(client).finally(() => client.end());
}

/** The relations of all schemas, and the number of rows in each table of another program. */
const stateOf = (connection: Connection) =>
  connected(connection, async (client) => ({
    relations: (await client.query('select oid, relname from pg_class order by oid')).rows,
    theirs: (await client.query('select * from theirs order by 1')).rows,
  }));

const theirs =
  'create table theirs (id serial primary key, word text); insert into theirs (word) values ($$a$$), ($$b$$)';

test('after each migration, the database contains exactly what the migrations declare', async () => {
  await connected(await backups.newDatabase(), async (client) => {
    const names = migrationNames();
    for (const [index] of names.entries()) {
      const applied = names.slice(0, index + 1);
      await migrate(client, async () => undefined, applied);
      expect(await findStrangers(client, applied), applied.at(-1)).toEqual([]);
    }
    const { rows } = await client.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace",
    );
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(relationsOf(names)));
  });
});

test.each([
  ['a table', 'create table "Their things" (id int)', 'table public."Their things"'],
  ['a view', 'create view v as select 1 as one', 'view public.v'],
  ['a materialized view', 'create materialized view m as select 1 as one', 'materialized view public.m'],
  ['a sequence', 'create sequence s', 'sequence public.s'],
  ['a type', 'create type t as (a int)', 'type public.t'],
  ['a partitioned table', 'create table p (a int) partition by range (a)', 'table public.p'],
  ['a schema', 'create schema other', 'schema other'],
  ['a table of another schema', 'create schema other; create table other.t (id int)', 'table other.t'],
  ['a job queue', 'create schema graphile_worker; create table graphile_worker.jobs (id int)', 'graphile_worker.jobs'],
  ['a table with the name of one of ours', 'create table users (id int)', 'table public.users'],
  ['the migrations of another program', 'create table migrations (id int, name text)', 'table public.migrations'],
])(
  'a database without our tables is refused if it contains objects that we did not create: %s',
  async (_what, statement, named) => {
    const target = await backups.newDatabase();
    await connected(target, (client) => client.query(statement));
    const path = await backups.backUp(service.database.connection);
    await expect(backups.restore(target, path)).rejects.toThrow(named);
  },
);

test.each([
  ['a new database', backups.newDatabase],
  ['a database that was migrated and never used', backups.migratedDatabase],
])('%s with a table of another program stays unchanged', async (_what, create) => {
  const target = await create();
  await connected(target, (client) => client.query(theirs));
  const before = await stateOf(target);
  const path = await backups.backUp(service.database.connection);
  await expect(backups.restore(target, path)).rejects.toThrow(
    'The database contains objects that Bottega did not create: table public.theirs. Restore into a new database.',
  );
  expect(await stateOf(target)).toEqual(before);
});

test('a table that inherits from one of our tables counts as a table of another program', async () => {
  const target = await backups.migratedDatabase();
  await connected(target, (client) => client.query('create table theirs () inherits (users)'));
  const path = await backups.backUp(service.database.connection);
  await expect(backups.restore(target, path)).rejects.toThrow('table public.theirs');
});

test('objects of an extension are no reason to refuse a database', async () => {
  const target = await backups.newDatabase();
  await connected(target, (client) =>
    client.query('create schema extensions; create extension pg_stat_statements schema extensions'),
  );
  await backups.restore(target, await backups.backUp(service.database.connection));
});

test('a backup contains only our tables and sequences, and restoring it needs no others', async () => {
  const source = await backups.migratedDatabase();
  await connected(source, (client) => client.query(theirs));
  const target = await backups.newDatabase();
  await backups.restore(target, await backups.backUp(source));
  await connected(target, async (client) => {
    const { rows } = await client.query(
      "select to_regclass('theirs') as table, to_regclass('theirs_id_seq') as sequence",
    );
    expect(rows).toEqual([{ table: null, sequence: null }]);
    expect((await listTables(client, migrationNames())).length).toBeGreaterThan(50);
  });
});
