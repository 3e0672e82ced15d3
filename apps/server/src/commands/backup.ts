import { parseArgs } from 'node:util';
import { backUp, fileName, type Place, placeToWrite, projectFileName, readPassphrase } from '../backups/index.ts';
import { objectReader } from '../deployments/index.ts';
import type { Config } from '../foundation/config/index.ts';
import { loadSecretKey } from '../foundation/crypto/secret-key.ts';
import { openDb } from '../foundation/db/index.ts';
import { version } from '../foundation/version.ts';
import { type Tell, tellProgress, withProgress } from './backup-progress.ts';
import { UsageError } from './command-error.ts';
import { openForCommand } from './open-database.ts';

const options = {
  project: { type: 'string' },
  'passphrase-file': { type: 'string' },
  'with-secret-key': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

/** `bottega backup [FILE]`: backs up everything or one project. Works with or without a running service. */
export async function backup(config: Config, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  if (positionals.length > 1) throw new UsageError('Specify at most one FILE.');
  const passphrase = readPassphrase(values['passphrase-file'] ?? null);
  if (values['with-secret-key'] && values.project !== undefined) {
    throw new UsageError('A backup of one project does not need the secret key. Omit --with-secret-key.');
  }
  if (values['with-secret-key'] && passphrase === null) {
    throw new UsageError('Only an encrypted backup can contain the secret key. Also specify --passphrase-file.');
  }
  const wanted = { path: positionals[0], passphrase, withSecretKey: values['with-secret-key'] };
  const { project } = values;
  const { result, words } = await withProgress(`Backing up ${project ?? 'everything'}`, (tell) =>
    project === undefined ? ofAll(config, wanted, tell) : ofProject(config, { ...wanted, projectId: project }, tell),
  );
  process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : words);
}

type Wanted = { path: string | undefined; passphrase: string | null; withSecretKey: boolean };
type Done = { result: Record<string, unknown>; words: string };

async function ofAll(config: Config, { passphrase, withSecretKey, ...wanted }: Wanted, tell: Tell): Promise<Done> {
  const place = placeToWrite(wanted.path, fileName(new Date()), config.s3);
  const database = await openForCommand(config, 'backup');
  try {
    const secretKey = withSecretKey ? loadSecretKey(config.secretKey, config.dataDir) : null;
    const progress = tellProgress(tell, 'Backing up');
    const readObject = objectReader(config.s3);
    const done = await backUp(database.connection, { place, version, passphrase, secretKey, readObject, progress });
    const key = withSecretKey
      ? 'The backup contains the secret key. Keep the passphrase safe.'
      : 'The backup does not contain the secret key. Store secret.key or BOTTEGA_SECRET_KEY in another place.';
    return {
      result: { file: addressOf(place), ...done, encrypted: passphrase !== null, with_secret_key: withSecretKey },
      words: `${addressOf(place)}: ${done.rows.toLocaleString('en')} rows from ${done.tables} tables, ${sizeOf(done.size, passphrase)}. ${key}\n`,
    };
  } finally {
    await database.close();
  }
}

type WantedProject = Wanted & { projectId: string };

async function ofProject(
  config: Config,
  { passphrase, projectId, ...wanted }: WantedProject,
  tell: Tell,
): Promise<Done> {
  const { backUpProject } = await import('../backups/projects/index.ts');
  const name = projectFileName(projectId.replaceAll(/\W/g, ''), new Date());
  const place = placeToWrite(wanted.path, name, config.s3);
  const database = await openForCommand(config, 'backup');
  try {
    const progress = tellProgress(tell, 'Backing up');
    const db = openDb(database.pool);
    const { objects, size } = await backUpProject(db, { projectId, place, version, passphrase, progress });
    return {
      result: { file: addressOf(place), project: projectId, objects, size, encrypted: passphrase !== null },
      words: `${addressOf(place)}: ${objects.toLocaleString('en')} git objects from ${projectId}, ${sizeOf(size, passphrase)}.\n`,
    };
  } finally {
    await database.close();
  }
}

const addressOf = ({ store, name }: Place): string => store.addressOf(name);

const sizeOf = (size: number, passphrase: string | null): string =>
  `${inMegabytes(size)}${passphrase === null ? '' : ', encrypted'}`;

export const inMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
