import type { Config } from '../../foundation/config/index.ts';
import { findSecretKey } from '../../foundation/crypto/secret-key.ts';
import { hasSecretKey, isTheSecretKey } from '../../foundation/crypto/secret-key-check.ts';
import { readServer } from '../../foundation/db/database.sql.ts';
import { type Db, openDb } from '../../foundation/db/index.ts';
import { migrationNames, oldestServer } from '../../foundation/db/migrate.ts';
import { checkAddresses } from '../../foundation/db/pooler.sql.ts';
import { createLogger } from '../../foundation/http/watching/logging.ts';
import { describeClock } from '../../foundation/machine.ts';
import { openDatabase } from '../open-database.ts';
import { broken, type Check, fromHealth, ok } from './check.ts';
import { checkReplica } from './replica.ts';
import { checkCertificates } from './tls.ts';

/** Opens the database as every command does. If it is not running, it is started only for the check. */
export async function checkDatabase(config: Config): Promise<Check[]> {
  const log = createLogger('silent');
  const description = `bottega doctor (pid ${process.pid})`;
  try {
    const database = await openDatabase({ config, log, holder: 'command', description });
    try {
      await checkAddresses(database.connection, database.pool);
      const db = openDb(database.pool);
      const clock = await describeClock(db);
      const server = await describeServer(db, config);
      const rest = [await checkKey(db, config), ...fromHealth('clock', 'is right', clock)];
      return [server, ...rest, ...(await checkReplica(db, config)), ...(await checkCertificates(db, config))];
    } finally {
      await database.close();
    }
  } catch (error) {
    const remedy = config.databaseUrl
      ? 'Check DATABASE_URL. Check that the server is running and accepts this user.'
      : 'Fix the problem, or set DATABASE_URL to your own PostgreSQL server.';
    return [broken('database', (error as Error).message, remedy)];
  }
}

async function describeServer(db: Db, { databaseUrl, databaseSessionUrl }: Config): Promise<Check> {
  const { number, version, applied } = await readServer(db);
  const way = databaseSessionUrl ? ', through a pooler' : '';
  const name = `${databaseUrl ? 'external' : 'embedded'} PostgreSQL ${version}${way}`;
  if (number < oldestServer) return broken('database', `${name} is too old`, 'Bottega needs PostgreSQL 15 or newer.');
  const known = migrationNames();
  const unknown = applied.find((one) => !known.includes(one));
  if (unknown) {
    return broken(
      'database',
      `${name} is newer than this version of Bottega; unknown migration: ${unknown}`,
      'Install the version that created the database, or restore a backup.',
    );
  }
  const due = known.length - applied.length;
  return ok('database', due === 0 ? name : `${name}; ${due} migrations will be applied at the next start`);
}

async function checkKey(db: Db, { secretKey, dataDir }: Config): Promise<Check> {
  const key = findSecretKey(secretKey, dataDir);
  const { applied } = await readServer(db);
  const mustFit = applied.length > 0 && (await hasSecretKey(db));
  const remedy = 'Set BOTTEGA_SECRET_KEY to the correct key, or restore secret.key.';
  if (key === null) {
    if (mustFit) return broken('secret key', 'is missing, but this database was encrypted with one', remedy);
    return ok('secret key', 'will be created at the first start');
  }
  if (!mustFit || (await isTheSecretKey(db, key))) return ok('secret key', 'is present');
  return broken('secret key', 'does not match the key of this database', remedy);
}
