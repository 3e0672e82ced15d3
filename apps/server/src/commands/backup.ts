import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { backUp, fileName, readPassphrase } from '../backups/index.ts';
import type { Config } from '../foundation/config/index.ts';
import { loadSecretKey } from '../foundation/crypto/secret-key.ts';
import { version } from '../foundation/version.ts';
import { tellProgress } from './backup-progress.ts';
import { UsageError } from './command-error.ts';
import { openForCommand } from './open-database.ts';

/** `bottega backup [FILE]`: beside a running service as well as alone. */
export async function backup(config: Config, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      'passphrase-file': { type: 'string' },
      'with-secret-key': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  if (positionals.length > 1) throw new UsageError('Give one FILE at most.');
  const passphrase = readPassphrase(values['passphrase-file'] ?? null);
  if (values['with-secret-key'] && passphrase === null) {
    throw new UsageError('The secret key travels in an encrypted backup only: give --passphrase-file too.');
  }
  const path = resolve(positionals[0] ?? fileName(new Date()));
  const database = await openForCommand(config, 'backup');
  try {
    const secretKey = values['with-secret-key'] ? loadSecretKey(config.secretKey, config.dataDir) : null;
    const progress = tellProgress('Backing up');
    const done = await backUp(database.connection, { path, version, passphrase, secretKey, progress });
    const result = { file: path, ...done, encrypted: passphrase !== null, with_secret_key: secretKey !== null };
    process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : inWords(result));
  } finally {
    await database.close();
  }
}

type Result = {
  file: string;
  tables: number;
  rows: number;
  size: number;
  encrypted: boolean;
  with_secret_key: boolean;
};

function inWords({ file, tables, rows, size, encrypted, with_secret_key }: Result): string {
  const key = with_secret_key
    ? 'The secret key is in it: keep the passphrase safe.'
    : 'The secret key is not in it: keep secret.key, or BOTTEGA_SECRET_KEY, in another place.';
  return `${file}: ${rows.toLocaleString('en')} rows of ${tables} tables, ${inMegabytes(size)}${encrypted ? ', encrypted' : ''}. ${key}\n`;
}

export const inMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
