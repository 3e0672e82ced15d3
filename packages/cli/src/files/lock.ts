import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Age from which a lock is stale. It protects one request of up to half a minute, and a file. */
const usuallyStaleAfterMs = 90_000;
const pauseMs = 50;

export type LockOptions = {
  /** Ends the wait. */
  signal: AbortSignal;
  /** Age from which a lock counts as stale, in milliseconds. Without a limit, a lock lasts as long as its process. */
  staleAfterMs?: number;
  /** Called with the id of the holding process; may throw instead of waiting. */
  onHeld?: (pid: number) => void;
};

/**
 * Makes processes of this machine that work on one file wait for each other. The lock is a file that is created
 * exclusively. A killed process leaves this file behind. So the lock counts as free if its process is gone, or after a
 * long time.
 */
export async function withLock<Value>(
  path: string,
  { signal, staleAfterMs = usuallyStaleAfterMs, onHeld }: LockOptions,
  act: () => Promise<Value>,
): Promise<Value> {
  const mine = `${process.pid} ${randomBytes(8).toString('hex')}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  while (!(await take(path, mine))) {
    if (await freeIfStale(path, staleAfterMs)) continue;
    onHeld?.(Number.parseInt((await textOf(path)) ?? '', 10));
    await sleep(pauseMs, undefined, { signal });
  }
  try {
    return await act();
  } finally {
    if ((await textOf(path)) === mine) await rm(path, { force: true });
  }
}

const take = (path: string, mine: string): Promise<boolean> =>
  writeFile(path, mine, { flag: 'wx', mode: 0o600 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );

async function freeIfStale(path: string, staleAfterMs: number): Promise<boolean> {
  const [seen, status] = await Promise.all([textOf(path), stat(path).catch(() => null)]);
  if (seen === null || status === null) return true;
  const isFresh = Date.now() - status.mtimeMs < staleAfterMs;
  // An empty file was just created, and its text is still being written.
  if (isFresh && (seen === '' || isAlive(Number.parseInt(seen, 10)))) return false;
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  const isMoved = await rename(path, aside).then(
    () => true,
    () => false,
  );
  // Another process may have freed the lock and taken it in between. In this case, its lock is put back.
  if (isMoved && (await textOf(aside)) !== seen) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
  return true;
}

const textOf = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
