import { spawn } from 'node:child_process';
import { assertStarted } from '../../foundation/concurrency/started.ts';

const longestReason = 500;

/**
 * Root can remove everything. An ordinary user may have to change modes first. That happens only if the first removal
 * fails.
 */
const script = `rm -rf -- "$1" 2>/dev/null || { [ "$2" = root ] || chmod -R u+rwX -- "$1" 2>/dev/null; rm -rf -- "$1"; }`;

/**
 * Removes a path and everything below it. Returns null if it is gone, and otherwise the reason. It runs the system's
 * `rm` in another process. `rm` works with descriptors, so it handles any depth, no link leads it elsewhere, and the
 * event loop stays free.
 */
export function removeTree(path: string, { ms, signal }: { ms: number; signal?: AbortSignal }): Promise<string | null> {
  return new Promise((resolve) => {
    const user = process.getuid?.() === 0 ? 'root' : 'other';
    const child = spawn('nice', ['-n', '5', '/bin/sh', '-c', script, 'sh', path, user], {
      cwd: '/',
      // A separate process group, so that all of it can be ended.
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
        // The process has just ended.
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
