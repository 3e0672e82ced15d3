import { hkdfSync } from 'node:crypto';
import { ConfigError } from '../config/index.ts';
import type { Db } from '../db/pool.ts';
import type { Queries, Trx } from '../db/transaction.ts';

/** Says nothing about the key, and differs for every other one. */
function checkOf(secretKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'bottega secret key check', 32));
}

/** Notes the key of the first node; every later one must have the same, or it could not open what the others sealed. */
export async function mustBeTheSecretKey(db: Db, secretKey: Buffer): Promise<void> {
  await db
    .insertInto('installation')
    .values({ secret_key_check: checkOf(secretKey) })
    .onConflict((row) => row.doNothing())
    .execute();
  if (await isTheSecretKey(db, secretKey)) return;
  throw new ConfigError(
    'The secret key is not the one that this database was sealed with; set BOTTEGA_SECRET_KEY to it, or restore secret.key.',
  );
}

export async function isTheSecretKey(db: Queries, secretKey: Buffer): Promise<boolean> {
  const row = await db.selectFrom('installation').select('secret_key_check').executeTakeFirst();
  return row === undefined || row.secret_key_check.equals(checkOf(secretKey));
}

export async function noteSecretKey(trx: Trx, secretKey: Buffer): Promise<void> {
  await trx
    .updateTable('installation')
    .set({ secret_key_check: checkOf(secretKey) })
    .execute();
}
