import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { once } from '../../concurrency/once.ts';
import { acquire, type Owned, type Starter } from './acquire.ts';
import { AlreadyRunningError } from './errors.ts';
import { boundLog } from './log-file.ts';
import { stopPostmaster } from './postmaster.ts';

const firstPause = 100;
const longestPause = 10_000;
/** If a server dies after it ran for this long, a new cause is assumed, and the server is restarted without a pause. */
const calmTime = 30_000;
const logCheckInterval = 60_000;

/**
 * Keeps the server of an owner running. While the connection that holds the lock is open, nothing has to be done. If
 * the connection ends without `close` (the server was killed, or restarted itself after a crash), the owner repeats the
 * rounds of the start until it holds the lock again or is closed.
 */
export function keepServer(starter: Starter, first: Owned) {
  const { log } = starter;
  const closing = new AbortController();
  let owned: Owned | undefined;
  // The process to stop if the owner is closed during a recovery. Undefined once another process has the lock.
  let lastPid: number | undefined;
  let ownedSince = 0;
  let pause = 0;
  let recovery: Promise<void> = Promise.resolve();
  const logCheck = setInterval(() => {
    boundLog(starter.layout.log).catch((err) => log.warn({ err }, 'failed to truncate the PostgreSQL log'));
  }, logCheckInterval).unref();

  watch(first);
  return { close: once(close) };

  function watch(current: Owned): void {
    owned = current;
    lastPid = current.pid;
    ownedSince = Date.now();
    current.connection.ended.then(() => {
      owned = undefined;
      if (!closing.signal.aborted) recovery = recover();
    });
  }

  async function recover(): Promise<void> {
    log.warn({}, 'the embedded database stopped; restarting it');
    if (Date.now() - ownedSince > calmTime) pause = 0;
    while (!closing.signal.aborted) {
      try {
        await delay(pause, undefined, { signal: closing.signal });
        pause = Math.min(Math.max(pause * 2, firstPause), longestPause);
        const acquired = await acquire(starter, closing.signal);
        lastPid = undefined;
        if (acquired.kind === 'owned') watch(acquired);
        log.warn({}, 'the embedded database is up');
        return;
      } catch (err) {
        if (closing.signal.aborted) return;
        if (err instanceof AlreadyRunningError) lastPid = undefined;
        log.warn({ err }, 'the embedded database is still unavailable');
      }
    }
  }

  /**
   * Does not close the connection that holds the lock. It stays open until the server ends it, so that nobody takes
   * over a stopping server.
   */
  async function close(): Promise<void> {
    closing.abort();
    clearInterval(logCheck);
    await recovery;
    const pid = owned?.pid ?? (lastPid && (starter.server.runningPid() ?? lastPid));
    const connection = owned?.connection;
    const { cluster, root, socketDir } = starter.layout;
    if (pid) await stopPostmaster(pid, cluster, (text) => log.warn({ pid }, text));
    await connection?.client.end().catch(() => undefined);
    // The socket's directory is removed only if it is outside the data directory. If another process uses it again,
    // this fails without harm.
    if (dirname(socketDir) !== root) await rmdir(socketDir).catch(() => undefined);
  }
}
