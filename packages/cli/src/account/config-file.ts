import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from '../files/lock.ts';
import { closeToOthers, writeOwn } from '../files/written.ts';
import { Failure } from '../terminal/failure.ts';
import type { Io } from '../terminal/io.ts';

/** The credential for one URL: a token that the user provided, or the tokens of the device flow. */
export type Account =
  | { kind: 'token'; token: string }
  | { kind: 'device'; access_token: string; refresh_token: string /** Milliseconds since 1970. */; expires_at: number };

/** The content of `~/.config/btg/config.json`. */
export type Config = {
  /** The default URL. */
  current?: string;
  /** Accounts by URL, without a trailing slash. */
  accounts: Record<string, Account>;
};

export const configFolder = (io: Io): string => join(io.env.XDG_CONFIG_HOME || join(io.home, '.config'), 'btg');
export const configPath = (io: Io): string => join(configFolder(io), 'config.json');

export async function readConfig(io: Io): Promise<Config> {
  const path = configPath(io);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Failure('failed', `${path} cannot be read: ${error.message}`);
  });
  if (text === null) return { accounts: {} };
  await mustBeClosed(io, path);
  try {
    const { current, accounts } = JSON.parse(text) as Partial<Config>;
    return { ...(typeof current === 'string' && { current }), accounts: { ...accounts } };
  } catch {
    throw new Failure('failed', `${path} is not valid JSON.`, 'Fix the file, or delete it and sign in again.');
  }
}

/** Reads the file, changes it and writes it, under a lock, so that no other process does this at the same time. */
export async function changeConfig<Value>(
  io: Io,
  change: (config: Config) => Promise<{ config: Config; value: Value }>,
): Promise<Value> {
  const path = configPath(io);
  return withLock(`${path}.lock`, io, async () => {
    const { config, value } = await change(await readConfig(io));
    await writeOwn(path, `${JSON.stringify(config, null, 2)}\n`);
    return value;
  });
}

/**
 * Restricts the permissions of the file, because it contains credentials, and it may have been copied or restored with
 * other permissions.
 */
async function mustBeClosed(io: Io, path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const { mode } = await stat(path);
  if ((mode & 0o077) === 0) return;
  await closeToOthers(path).catch((error: Error) => {
    throw new Failure('failed', `Cannot make ${path} private, although it contains credentials: ${error.message}`);
  });
  io.stderr.write(
    `Other users could read ${path}. Now only you can read it. If somebody may have read it, revoke its keys.\n`,
  );
}
