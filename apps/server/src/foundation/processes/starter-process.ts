import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setPriority } from 'node:os';
import type { FromStarter, ToStarter } from './starter.ts';

/** The program of the small process that starts others; `starter.ts` says why there is one. */

const mostWords = 16_384;
/** Nothing is written before the service has the descriptors: what it wrote now would be read here, and lost. */
const waitForGo = 'read -r go; ';

const running = new Set<ChildProcess>();
const tell = (message: FromStarter) => process.connected && process.send?.(message);

function start({ id, script, args, env }: ToStarter): void {
  // In a session of its own: what it starts ends with it, and no signal for the service reaches it first.
  const child = spawn('/bin/sh', ['-c', waitForGo + script, 'sh', ...args], { detached: true, env });
  child.on('error', ({ message }) => tell({ id, is: 'failed', words: message }));
  if (child.pid === undefined) return;
  running.add(child);
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(0, mostWords);
  });
  const allSaid = once(child.stderr, 'close');
  process.send?.({ id, is: 'input', pid: child.pid } satisfies FromStarter, child.stdin as Socket);
  process.send?.({ id, is: 'output' } satisfies FromStarter, child.stdout as Socket);
  child.on('exit', async (code) => {
    running.delete(child);
    await allSaid;
    tell({ id, is: 'ended', code, words });
  });
}

process.on('message', start);
process.on('disconnect', () => {
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  process.exit();
});
// Whoever waits for an answer of the API comes first.
setPriority(5);
