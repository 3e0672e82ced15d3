import { hkdfSync } from 'node:crypto';
import { ConfigError } from '../config/index.ts';
import type { Db } from '../db/pool.ts';
import type { Queries, Trx } from '../db/transaction.ts';
import { insertKeyCheck, readKeyCheck, writeKeyCheck } from './installation.sql.ts';

/** A check value that differs for every key and reveals nothing about it. */
function checkOf(secretKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'bottega secret key check', 32));
}

/**
 * Throws if this node's key is not the key of the installation. The first node records a check value of its key. All
 * other nodes must have the same key. Otherwise, they could not open what others have sealed.
 */
export async function mustBeTheSecretKey(db: Db, secretKey: Buffer): Promise<void> {
  await insertKeyCheck(db, checkOf(secretKey));
  if (await isTheSecretKey(db, secretKey)) return;
  throw new ConfigError(
    'The secret key is not the one that this database was encrypted with: set BOTTEGA_SECRET_KEY to that key, or restore secret.key.',
  );
}

export async function isTheSecretKey(db: Queries, secretKey: Buffer): Promise<boolean> {
  const check = await readKeyCheck(db);
  return check === undefined || fitsCheck(secretKey, check);
}

/** Whether the installation already has a key. If not, any key may become its key. */
export const hasSecretKey = async (db: Queries): Promise<boolean> => (await readKeyCheck(db)) !== undefined;

export const fitsCheck = (secretKey: Buffer, check: Buffer): boolean => check.equals(checkOf(secretKey));

export async function noteSecretKey(trx: Trx, secretKey: Buffer): Promise<void> {
  await writeKeyCheck(trx, checkOf(secretKey));
}
