import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll } from 'vitest';
import { readConfig } from '../foundation/config/index.ts';
import { placeOf } from '../foundation/objects/index.ts';
import { createEmptyDatabase, migrateOnce } from '../testing/parts/empty-database.ts';
import { createTestDatabase, type TestDatabase } from '../testing/parts/test-database.ts';
import type { ReadObject } from './dump-objects.service.ts';
import type { Place } from './file/index.ts';
import { backUp, restoreBackup, verifyBackup } from './index.ts';

type Connection = TestDatabase['connection'];

const quiet = () => undefined;

export const fileAt = (path: string): Place => placeOf(path, readConfig({}).s3);
export const verifyFile = (path: string, passphrase: string | null) => verifyBackup(fileAt(path), passphrase);

/** A reader for a service without buckets. */
export const noObjects: ReadObject = async (address) => {
  throw new Error(`${address} is not there`);
};

type BackupOptions = { passphrase?: string; secretKey?: Buffer; readObject?: ReadObject };

/** Backups in a directory, and databases to restore them into. Both are removed after the tests of the file. */
export function useBackups() {
  const directory = mkdtempSync(join(tmpdir(), 'bottega-backups-'));
  const databases: TestDatabase[] = [];
  let files = 0;
  afterAll(async () => {
    for (const database of databases) await database.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  function kept(database: TestDatabase): Connection {
    databases.push(database);
    return database.connection;
  }

  return {
    newPath: (): string => join(directory, `${++files}.backup`),

    async backUp(connection: Connection, options: BackupOptions = {}): Promise<string> {
      const path = join(directory, `${++files}.backup`);
      const { passphrase = null, secretKey = null, readObject = noObjects } = options;
      const place = fileAt(path);
      await backUp(connection, { place, version: '0.2.0', passphrase, secretKey, readObject, progress: quiet });
      return path;
    },

    /** An empty database. */
    newDatabase: async (): Promise<Connection> => kept(await createEmptyDatabase()),
    migratedDatabase: async (): Promise<Connection> => kept(await createTestDatabase()),

    restore: (connection: Connection, path: string, passphrase: string | null = null) =>
      restoreBackup({
        place: fileAt(path),
        passphrase,
        connection,
        migrate: (names) => migrateOnce(connection, names),
        findKey: () => null,
        verifying: quiet,
        progress: quiet,
      }),
  };
}

/** A digest of every row of every table but those about processes, without the columns that a restore changes. */
export async function fingerprint(connection: Connection): Promise<Record<string, string>> {
  const client = new pg.Client(connection);
  await client.connect();
  const tables = await client.query<{ name: string; columns: string[] }>(
    `select table_name as name, array_agg(format('%I', column_name) order by ordinal_position) as columns
     from information_schema.columns where table_schema = 'public' and not (table_name, column_name) in
       (('events', 'xid'), ('webhook_deliveries', 'holder'))
       and table_name not in ('migrations', 'webhook_workers', 'job_workers', 'live_nodes', 'live_owners', 'live_sockets', 'app_instances',
         'webhook_relay')
       and not (select relispartition from pg_class where oid = format('public.%I', table_name)::regclass)
     group by 1 order by 1`,
  );
  const digests: Record<string, string> = {};
  for (const { name, columns } of tables.rows) {
    const { rows } = await client.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(md5(row::text), '' order by md5(row::text))), '') as digest
       from (select row(${columns.join(', ')}) as row from ${name}) as all_rows`,
    );
    digests[name] = rows[0].digest;
  }
  await client.end();
  return digests;
}
