import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { acquire, type Owned, type Starter } from './acquire.ts';
import { AlreadyRunningError } from './errors.ts';
import { boundLog } from './log-file.ts';
import { stopPostmaster } from './postmaster.ts';

const firstPause = 100;
const longestPause = 10_000;
/** A server that lived this long died of something new, and is brought back without a pause. */
const calmTime = 30_000;
const logCheckInterval = 60_000;

/**
 * The life of an owner: while it holds the lock connection all is well. When that ends without a
 * close (the server was killed, or restarted itself after a crash), it goes through the same rounds
 * as at the start, again and again, until it holds a lock once more or is closed.
 */
export function keepServer(starter: Starter, first: Owned) {
  const { log } = starter;
  const closing = new AbortController();
  let owned: Owned | undefined;
  // The process to stop where a close comes during a recovery; none once someone else has the lock.
  let lastPid: number | undefined;
  let ownedSince = 0;
  let pause = 0;
  let recovery: Promise<void> = Promise.resolve();
  let closed: Promise<void> | undefined;
  const logCheck = setInterval(() => {
    boundLog(starter.layout.log).catch((err) => log.warn({ err }, 'truncating the log failed'));
  }, logCheckInterval).unref();

  watch(first);
  return { close: () => (closed ??= close()) };

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
    log.warn({}, 'the embedded database stopped: restarting it');
    if (Date.now() - ownedSince > calmTime) pause = 0;
    while (!closing.signal.aborted) {
      try {
        await delay(pause, undefined, { signal: closing.signal });
        pause = Math.min(Math.max(pause * 2, firstPause), longestPause);
        const acquired = await acquire(starter, closing.signal);
        lastPid = undefined;
        if (acquired.kind === 'owned') watch(acquired);
        log.warn({}, 'the embedded database is back');
        return;
      } catch (err) {
        if (closing.signal.aborted) return;
        if (err instanceof AlreadyRunningError) lastPid = undefined;
        log.warn({ err }, 'the embedded database is still unavailable');
      }
    }
  }

  /** The lock connection stays open until the server cuts it: nobody takes a server that is going. */
  async function close(): Promise<void> {
    closing.abort();
    clearInterval(logCheck);
    await recovery;
    const pid = owned?.pid ?? (lastPid && (starter.server.runningPid() ?? lastPid));
    const connection = owned?.connection;
    const { cluster, root, socketDir } = starter.layout;
    if (pid) await stopPostmaster(pid, cluster, (text) => log.warn({ pid }, text));
    await connection?.client.end().catch(() => undefined);
    // Only one outside of the data directory; it fails harmlessly where someone uses it again.
    if (dirname(socketDir) !== root) await rmdir(socketDir).catch(() => undefined);
  }
}
