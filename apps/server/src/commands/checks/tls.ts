import {
  alwaysNames,
  describeAuthority,
  describePair,
  inWords,
  readDirectory,
  type TlsHealth,
} from '../../certificates/index.ts';
import type { Config, Tls } from '../../foundation/config/index.ts';
import { readServer } from '../../foundation/db/database.sql.ts';
import type { Db } from '../../foundation/db/index.ts';
import { migrationNames } from '../../foundation/db/migrate.ts';
import { readPair } from '../../foundation/tls/own-certificate.ts';
import { hostOf } from '../../foundation/tls/own-names.ts';
import { broken, type Check, missing, ok } from './check.ts';

const name = 'tls';
type Files = Extract<Tls['certificates'], { from: 'files' }>;

/** Checks that need no database: a certificate in files, and whether the authority answers. */
export async function checkTls({ tls, publicUrl }: Config): Promise<Check[]> {
  if (tls === null) return [];
  return [
    tls.certificates.from === 'files'
      ? checkFiles(tls.certificates, publicUrl)
      : await checkAuthority(tls.certificates),
  ];
}

function checkFiles(files: Files, publicUrl: string | null): Check {
  try {
    return fromTls(describePair(readPair(files), hostOf(publicUrl ?? 'https://localhost')));
  } catch (error) {
    return broken(name, (error as Error).message, 'Check BOTTEGA_TLS_CERT and BOTTEGA_TLS_KEY.');
  }
}

const patienceMs = 10_000;

async function checkAuthority({ directory }: { directory: string }): Promise<Check> {
  const { host } = new URL(directory);
  try {
    await readDirectory(directory, AbortSignal.timeout(patienceMs));
    return ok('authority', `${host} responds`);
  } catch (error) {
    return missing('authority', (error as Error).message, 'Without it, certificates cannot be issued or renewed.');
  }
}

/** Checks the certificates that were issued so far. */
export async function checkCertificates(db: Db, config: Config): Promise<Check[]> {
  if (config.tls?.certificates.from !== 'acme') return [];
  const { applied } = await readServer(db);
  if (migrationNames().length > applied.length) return [ok(name, 'certificates will be requested at the next start')];
  return [fromTls(await describeAuthority(db, config.tls.certificates.directory, alwaysNames(config)))];
}

const fromTls = (health: TlsHealth): Check =>
  health.problem === null ? ok(name, inWords(health)) : missing(name, health.problem);
