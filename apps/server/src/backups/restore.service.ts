import pg from 'pg';
import type { BroughtKey } from '../foundation/crypto/brought-key.ts';
import type { ConnectionOptions } from '../foundation/db/index.ts';
import { migrationNames, mustBeNewEnough } from '../foundation/db/migrate.ts';
import { BackupError, isOfProject, type Manifest, type Place, type Progress, readBackupFile } from './file/index.ts';
import { loadDatabase } from './load.service.ts';
import { readTarget, refreshStatistics } from './load.sql.ts';
import { findStrangers } from './strangers.sql.ts';
import { type Verified, verifyBackup } from './verify.service.ts';

type Options = {
  place: Place;
  passphrase: string | null;
  connection: ConnectionOptions;
  /** Brings the database to exactly these migrations; without names, to those of this version. */
  migrate(names?: readonly string[]): Promise<unknown>;
  /**
   * Finds the key that decrypts the sealed values, and throws if there is none. It runs before the first row is
   * written. A key from the backup is put in place after the commit. Null if the key is already in place.
   */
  findKey(manifest: Manifest): BroughtKey | null;
  /** The progress of the first reading of the file, which only checks it. */
  verifying: Progress;
  progress: Progress;
};

/**
 * Restores into an empty database. The file is read twice: first to its end before anything changes, then to load it.
 * The tables first get the schema that they had when the backup was created. One transaction loads all rows. After
 * that, the later migrations run.
 */
export async function restoreBackup({
  place,
  passphrase,
  connection,
  ...options
}: Options): Promise<Verified<Manifest> & { formerKey: string | null }> {
  const { manifest, ...found } = await verifyBackup(place, passphrase, options.verifying);
  if (isOfProject(manifest)) {
    throw new BackupError('This backup contains one project. Restore it with --project FILE --owner EMAIL.');
  }
  const { migrations } = manifest;
  mustBeKnown(manifest);
  const client = new pg.Client({ ...connection, application_name: 'bottega restore', keepAlive: true });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await mustBeNewEnough(client);
    await mustBeEmpty(client, migrations);
    const key = options.findKey(manifest);
    try {
      await options.migrate(migrations);
      const records = readBackupFile(place, passphrase);
      await loadDatabase(client, { records, migrations, progress: options.progress });
    } catch (error) {
      key?.abandon();
      throw error;
    }
    const formerKey = key?.place() ?? null;
    await refreshStatistics(client);
    await options.migrate();
    return { manifest, ...found, formerKey };
  } finally {
    await client.end();
  }
}

function mustBeKnown({ migrations, version }: Manifest): void {
  const known = migrationNames();
  if (migrations.every((name, index) => name === known[index])) return;
  throw new BackupError(
    `The backup was created by Bottega ${version}, which is newer than this version: restore it with that version.`,
  );
}

async function mustBeEmpty(client: pg.ClientBase, migrations: readonly string[]): Promise<void> {
  const target = await readTarget(client);
  if (target === null) return mustBeOurs(client, null);
  if (target.accounts > 0) {
    throw new BackupError(
      `The database is not empty (accounts: ${target.accounts}). Restore into a new database, or use a new BOTTEGA_DATA_DIR.`,
    );
  }
  // The tables exist because an earlier restore was interrupted, or because the service was started and never used. If
  // their migrations are all in the backup, they can be kept. If not, they cannot be undone.
  if (target.migrations.every((name) => migrations.includes(name))) return mustBeOurs(client, target.migrations);
  throw new BackupError(
    'The database has no accounts, but its tables are newer than the backup: restore into a new database, or use a new BOTTEGA_DATA_DIR.',
  );
}

const maxNamed = 10;

/** A database with tables of another program is not empty, even if our tables are. */
async function mustBeOurs(client: pg.ClientBase, migrations: readonly string[] | null): Promise<void> {
  const strangers = await findStrangers(client, migrations);
  if (strangers.length === 0) return;
  const named = strangers.slice(0, maxNamed).map(({ kind, name }) => `${kind} ${name}`);
  const more = strangers.length > maxNamed ? ` and ${strangers.length - maxNamed} more` : '';
  throw new BackupError(
    `The database contains objects that Bottega did not create: ${named.join(', ')}${more}. Restore into a new database.`,
  );
}
