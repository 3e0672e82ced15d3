import { spawn } from 'node:child_process';
import { assertStarted } from '../../foundation/concurrency/started.ts';

const longestReason = 500;

/**
 * Root may remove everything. An ordinary user has to be let in by the modes, which are their own to change, but only
 * where it did not go without that.
 */
const script = `rm -rf -- "$1" 2>/dev/null || { [ "$2" = root ] || chmod -R u+rwX -- "$1" 2>/dev/null; rm -rf -- "$1"; }`;

/**
 * Everything below a path, and the path itself; null once it is gone, else why it is not. It is left to another process,
 * and to the system's own `rm`: that one goes from directory to directory by descriptors, so that no depth is too much for
 * it and no link leads it elsewhere, and whatever it has to do, it is not done by our event loop.
 */
export function removeTree(path: string, { ms, signal }: { ms: number; signal?: AbortSignal }): Promise<string | null> {
  return new Promise((resolve) => {
    const user = process.getuid?.() === 0 ? 'root' : 'other';
    const child = spawn('nice', ['-n', '5', '/bin/sh', '-c', script, 'sh', path, user], {
      cwd: '/',
      // A group of its own, so that all of it can be ended.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      assertStarted(child);
    } catch (error) {
      return resolve((error as Error).message);
    }
    let words = '';
    let stopped: string | null = null;
    const stop = (why: string) => {
      stopped ??= why;
      try {
        if (child.pid) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has just ended.
      }
    };
    const timer = setTimeout(() => stop(`it took longer than ${ms} ms`), ms);
    const interrupt = () => stop('it was interrupted');
    signal?.addEventListener('abort', interrupt, { once: true });
    if (signal?.aborted) interrupt();
    const end = (reason: string | null) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
      resolve(reason);
    };
    child.stderr.on('data', (chunk: Buffer) => {
      if (words.length < longestReason) words = (words + chunk.toString()).slice(0, longestReason);
    });
    child.on('error', (error) => end(error.message));
    child.on('close', (code) => end(code === 0 ? null : (stopped ?? (words.trim() || `rm exited with ${code}`))));
  });
}
