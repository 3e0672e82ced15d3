import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config/index.ts';

/**
 * The key that the operator set, or one generated once in the data directory. Written beside and linked into place:
 * the link fails if another process was first, and never shows a half-written key.
 */
export function loadSecretKey(configured: Buffer | null, dataDir: string): Buffer {
  if (configured) return configured;
  const path = join(dataDir, 'secret.key');
  const existing = readKey(path);
  if (existing) return existing;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
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

function readKey(path: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new ConfigError(`${path} does not hold a key of 32 bytes; restore it from a backup.`);
  return key;
}
