import { parseArgs } from 'node:util';
import { BackupError, type Manifest, type Place, readPassphrase, restoreBackup } from '../backups/index.ts';
import type { Config } from '../foundation/config/index.ts';
import { bringSecretKey, mustHaveNoNextKey } from '../foundation/crypto/brought-key.ts';
import { findSecretKey, keyPath } from '../foundation/crypto/secret-key.ts';
import { fitsCheck } from '../foundation/crypto/secret-key-check.ts';
import { countListeningNodes } from '../foundation/db/database.sql.ts';
import { openDb } from '../foundation/db/index.ts';
import { placeOf } from '../foundation/objects/index.ts';
import { type Tell, tellProgress, withProgress } from './backup-progress.ts';
import { UsageError } from './command-error.ts';
import { moveObjects } from './objects.ts';
import { migrateDatabase, openForCommand } from './open-database.ts';

/**
 * `bottega restore FILE`: restores into an empty database that no service uses. With `--project`, restores one project
 * into a service.
 */
export async function restore(config: Config, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      project: { type: 'string' },
      owner: { type: 'string' },
      'passphrase-file': { type: 'string' },
      'replace-secret-key': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const { project, owner } = values;
  const path = project ?? positionals[0];
  if (path === undefined || positionals.length > (project === undefined ? 1 : 0)) {
    throw new UsageError('Specify the FILE to restore.');
  }
  if ((project === undefined) !== (owner === undefined)) {
    throw new UsageError('To restore a project, specify --project FILE and --owner EMAIL.');
  }
  const place = placeOf(path, config.s3);
  const passphrase = readPassphrase(values['passphrase-file'] ?? null);
  if (owner !== undefined) {
    if (values['replace-secret-key']) throw new UsageError('A project has no secret key. Omit --replace-secret-key.');
    const { restoreOneProject } = await import('./restore-project.ts');
    return restoreOneProject(config, { place, passphrase, ownerEmail: owner, asJson: values.json });
  }
  const mayReplaceKey = values['replace-secret-key'];
  const { manifest, tables, rows, formerKey } = await withProgress(`Restoring ${path}`, (tell) =>
    restoreEverything(config, { place, passphrase, mayReplaceKey }, tell),
  );
  const result = { tables, rows, version: manifest.version, made_at: manifest.made_at, former_secret_key: formerKey };
  const key = formerKey === null ? '' : ` The previous secret key is in ${formerKey}.`;
  const words = `Restored ${rows.toLocaleString('en')} rows from ${tables} tables, as of ${manifest.made_at}.${key} You can now start Bottega.\n`;
  process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : words);
}

type Wanted = { place: Place; passphrase: string | null; mayReplaceKey: boolean };

async function restoreEverything(config: Config, { mayReplaceKey, ...source }: Wanted, tell: Tell) {
  const database = await openForCommand(config, 'restore', 'service');
  try {
    const nodes = await countListeningNodes(openDb(database.pool));
    if (nodes > 0) throw new UsageError(`Stop all nodes first. Nodes that still use this database: ${nodes}`);
    const restored = await restoreBackup({
      ...source,
      connection: database.connection,
      migrate: (names) => migrateDatabase(database, names),
      findKey: (found) => findKey(found, config, mayReplaceKey),
      verifying: tellProgress(tell, 'Verifying'),
      progress: tellProgress(tell, 'Restoring'),
    });
    // The backup contains the contents of buckets. So they are in the database now.
    if (config.objects !== null) await moveObjects(config, openDb(database.pool), tell).catch(tellOfLeft);
    return restored;
  } finally {
    await database.close();
  }
}

/** Reports a problem after the restore itself has succeeded. */
function tellOfLeft(error: Error): void {
  process.stderr.write(
    `Artifacts are still in the database: ${error.message}. The service can use them there. Run bottega objects move to continue.\n`,
  );
}

/** The key in the data directory must match the backup, or the backup must contain its key. */
function findKey({ secret_key_check, secret_key }: Manifest, { secretKey, dataDir }: Config, mayReplace: boolean) {
  if (secret_key_check === null) return null;
  if (!secretKey) mustHaveNoNextKey(dataDir);
  const present = findSecretKey(secretKey, dataDir);
  if (present && fitsCheck(present, Buffer.from(secret_key_check, 'base64'))) return null;
  if (secretKey) throw new BackupError('This backup was not encrypted with BOTTEGA_SECRET_KEY.');
  if (secret_key === undefined) {
    throw new BackupError(
      'The backup does not contain its secret key. Set BOTTEGA_SECRET_KEY, or copy secret.key into the data directory.',
    );
  }
  if (present && !mayReplace) {
    throw new BackupError(
      `${keyPath(dataDir)} is the key of another database. Restore with another BOTTEGA_DATA_DIR, or specify --replace-secret-key, which keeps the current key next to the new key.`,
    );
  }
  return bringSecretKey(dataDir, Buffer.from(secret_key, 'base64'), { mayReplace });
}
