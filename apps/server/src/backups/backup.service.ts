import pg from 'pg';
import type { ConnectionOptions } from '../foundation/db/index.ts';
import { migrationNames } from '../foundation/db/migrate.ts';
import { dumpDatabase } from './dump.service.ts';
import type { ReadObject } from './dump-objects.service.ts';
import { BackupError, type Place, type Progress, type Told, writeBackupFile } from './file/index.ts';
import { readTarget } from './load.sql.ts';

type Options = {
  place: Place;
  version: string;
  passphrase: string | null;
  /** To carry along. */
  secretKey: Buffer | null;
  /** Of what is in buckets. */
  readObject: ReadObject;
  progress: Progress;
};

/** Beside whatever runs: it has a connection of its own, and reads one moment of the database. */
export async function backUp(
  connection: ConnectionOptions,
  { place, passphrase, ...options }: Options,
): Promise<Told & { size: number }> {
  const client = new pg.Client({ ...connection, application_name: 'bottega backup', keepAlive: true });
  // Its query fails, and whoever made that query hears of it.
  client.on('error', () => undefined);
  await client.connect();
  let told: Told = { tables: 0, rows: 0, bytes: 0 };
  const progress: Progress = (soFar) => {
    told = soFar;
    options.progress(soFar);
  };
  try {
    await mustBeKnown(client);
    const size = await writeBackupFile(place, dumpDatabase(client, { ...options, progress }), passphrase);
    return { tables: told.tables, rows: told.rows, bytes: told.bytes, size };
  } finally {
    await client.end();
  }
}

/** Of tables that this version does not know, it does not know either what would mean nothing in another database. */
async function mustBeKnown(client: pg.ClientBase): Promise<void> {
  const found = await readTarget(client);
  if (found === null) throw new BackupError('The database has no Bottega tables, so there is nothing to back up.');
  const known = migrationNames();
  if (found.migrations.every((name) => known.includes(name))) return;
  throw new BackupError(
    'The database is newer than this version of Bottega: back it up with the version that uses it.',
  );
}
