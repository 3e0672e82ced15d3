import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError } from '../config/index.ts';
import type { Db } from '../db/pool.ts';
import { isTheSecretKey } from './secret-key-check.ts';

/**
 * Returns the key that the operator set, or else the key in the data directory, which is generated on first use. A
 * generated key is written to a separate file and then linked to its name. So a half-written key is never visible under
 * that name, and the link fails if another process was first.
 */
export function loadSecretKey(configured: Buffer | null, dataDir: string): Buffer {
  const existing = findSecretKey(configured, dataDir);
  if (existing) return existing;
  const path = keyPath(dataDir);
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
  } catch (cause) {
    throw new ConfigError(
      `The secret key cannot be stored in ${dataDir} (${(cause as Error).message}). Set BOTTEGA_DATA_DIR to a writable directory, or set BOTTEGA_SECRET_KEY.`,
      { cause },
    );
  }
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  const key = readKey(path);
  if (!key) throw new Error(`${path} could not be read back`);
  return key;
}

/** Null if no key is set and none has been generated yet. */
export function findSecretKey(configured: Buffer | null, dataDir: string): Buffer | null {
  return configured ?? readKey(keyPath(dataDir));
}

export const keyPath = (dataDir: string): string => join(dataDir, 'secret.key');
export const nextKeyPath = (dataDir: string): string => join(dataDir, 'secret.key.next');

/**
 * Stores the new key of a rotation. This happens before anything is sealed with the key, so that it cannot get lost.
 */
export function writeNextKey(dataDir: string, key: Buffer): void {
  writeFileSync(nextKeyPath(dataDir), `${key.toString('base64')}\n`, { mode: 0o600, flush: true });
}

/**
 * Runs at the end of a rotation, and at the next start if the rotation was interrupted. Of the two key files, the one
 * that matches the database becomes the key, and the other one is deleted. Returns the key that is now in use.
 */
export async function settleNextKey(
  db: Db,
  current: Buffer,
  { secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>,
): Promise<Buffer> {
  const next = secretKey ? null : readKey(nextKeyPath(dataDir));
  if (!next) return current;
  if (await isTheSecretKey(db, current)) {
    rmSync(nextKeyPath(dataDir));
    return current;
  }
  if (!(await isTheSecretKey(db, next))) return current;
  renameSync(nextKeyPath(dataDir), keyPath(dataDir));
  return next;
}

function readKey(path: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new ConfigError(`${path} does not contain a key of 32 bytes: restore it from a backup.`);
  return key;
}
