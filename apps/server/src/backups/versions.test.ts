import pg from 'pg';
import { expect, test } from 'vitest';
import { migrationNames } from '../foundation/db/migrate.ts';
import { migrateOnce } from '../testing/parts/empty-database.ts';
import { fileAt, noObjects, useBackups } from './backups.fixture.ts';
import { dumpDatabase } from './dump.service.ts';
import { writeBackupFile } from './file/index.ts';
import { restoreBackup } from './index.ts';

const backups = useBackups();
const quiet = () => undefined;

async function withClient<Result>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client(connection);
  await client.connect();
  return work(client).finally(() => client.end());
}

const query = (connection: pg.ClientConfig, text: string) => withClient(connection, (client) => client.query(text));
const countTables = async (connection: pg.ClientConfig) =>
  (await query(connection, "select from pg_tables where schemaname = 'public'")).rowCount;

async function newerDatabase() {
  const newer = await backups.migratedDatabase();
  await query(newer, "insert into migrations (name) values ('9999-of-tomorrow.sql')");
  return newer;
}

test('a backup of an older version is restored into the tables of that version and then migrated', async () => {
  const older = await backups.newDatabase();
  const names = migrationNames().slice(0, -1);
  await migrateOnce(older, names);
  await query(older, "insert into users (id, email, username, name) values ('usr_1', 'a@example.com', 'a', 'A')");
  const path = await backups.backUp(older);
  const target = await backups.newDatabase();
  const { manifest } = await backups.restore(target, path);
  expect(manifest.migrations).toEqual(names);
  const applied = await query(target, 'select name from migrations order by name');
  expect(applied.rows.map(({ name }) => name)).toEqual(migrationNames());
  expect((await query(target, 'select email from users')).rows).toEqual([{ email: 'a@example.com' }]);
});

test('a backup of a newer version is refused before anything is changed', async () => {
  const path = backups.newPath();
  // A backup as that version would write it.
  await withClient(await newerDatabase(), (client) =>
    writeBackupFile(
      fileAt(path),
      dumpDatabase(client, { version: '9.0.0', secretKey: null, readObject: noObjects, progress: quiet }),
      null,
    ),
  );
  const target = await backups.newDatabase();
  await expect(backups.restore(target, path)).rejects.toThrow(
    'The backup was created by Bottega 9.0.0, which is newer than this version',
  );
  expect(await countTables(target)).toBe(0);
});

test('a database that is newer than the code, or not a Bottega database, is not backed up', async () => {
  await expect(backups.backUp(await newerDatabase())).rejects.toThrow(/^The database is newer than this version of B/);
  await expect(backups.backUp(await backups.newDatabase())).rejects.toThrow(/^The database has no Bottega tables/);
});

test('a server older than PostgreSQL 15 is refused before anything is written', async () => {
  const path = await backups.backUp(await backups.migratedDatabase());
  const old = await backups.newDatabase();
  await query(
    old,
    `create schema former;
     create function former.current_setting(text) returns text language sql as $$ select '140011' $$;
     alter database ${old.database} set search_path = former, pg_catalog, public`,
  );
  const done: string[] = [];
  const restoring = restoreBackup({
    place: fileAt(path),
    passphrase: null,
    connection: old,
    migrate: async () => done.push('migrated'),
    findKey() {
      done.push('looked for the key');
      return null;
    },
    verifying: quiet,
    progress: quiet,
  });
  await expect(restoring).rejects.toThrow('Bottega needs PostgreSQL 15 or newer.');
  expect(done).toEqual([]);
  expect(await countTables(old)).toBe(0);
});
