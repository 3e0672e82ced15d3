import type { Config } from '../foundation/config/index.ts';
import { loadSecretKey, settleNextKey } from '../foundation/crypto/secret-key.ts';
import { mustBeTheSecretKey } from '../foundation/crypto/secret-key-check.ts';
import { openDb } from '../foundation/db/index.ts';
import type { OpenDatabase } from './open-database.ts';

/** Finds the secret key. Throws if it is not the key with which the database was sealed. */
export async function findSecretKey(config: Config, { pool }: OpenDatabase): Promise<Buffer> {
  const db = openDb(pool);
  const secretKey = await settleNextKey(db, loadSecretKey(config.secretKey, config.dataDir), config);
  await mustBeTheSecretKey(db, secretKey);
  return secretKey;
}
