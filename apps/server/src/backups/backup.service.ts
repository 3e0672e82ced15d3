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
  /** The secret key to include in the backup. */
  secretKey: Buffer | null;
  /** Reads objects from buckets. */
  readObject: ReadObject;
  progress: Progress;
};

/** Backs up the database while the service runs. The backup uses a separate connection and reads a snapshot. */
export async function backUp(
  connection: ConnectionOptions,
  { place, passphrase, ...options }: Options,
): Promise<Told & { size: number }> {
  const client = new pg.Client({ ...connection, application_name: 'bottega backup', keepAlive: true });
  // The error is ignored here, because the query that fails reports it to its caller.
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

/**
 * Throws if the tables belong to a newer version. In tables that this version does not know, there may be values that
 * would be meaningless in another database.
 */
async function mustBeKnown(client: pg.ClientBase): Promise<void> {
  const target = await readTarget(client);
  if (target === null) throw new BackupError('The database has no Bottega tables, so there is nothing to back up.');
  const known = migrationNames();
  if (target.migrations.every((name) => known.includes(name))) return;
  throw new BackupError(
    'The database is newer than this version of Bottega: back it up with the version that uses it.',
  );
}
