import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import type { FromStarter, ToStarter } from './starter.ts';

/** The program of the small process that starts others; `starter.ts` says why there is one. */

const mostWords = 16_384;
/** Nothing is written before the service has the descriptors: what it wrote now would be read here, and lost. */
const waitForGo = 'read -r go; ';

const running = new Set<ChildProcess>();
/** Where the service has just gone, nobody is left to tell: what has to be done then is done when the channel closes. */
const tell = (message: FromStarter, handle?: Socket) => process.send?.(message, handle, undefined, () => undefined);

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
  const allSaid = new Promise((resolve) => child.stderr.on('error', () => undefined).once('close', resolve));
  tell({ id, is: 'input', pid: child.pid }, child.stdin as Socket);
  tell({ id, is: 'output' }, child.stdout as Socket);
  child.on('exit', async (code) => {
    running.delete(child);
    await allSaid;
    tell({ id, is: 'ended', code, words });
  });
}

process.on('message', start);
process.on('disconnect', endAll);
// The service may have gone while this was loaded, or while a descriptor was on its way to it: then nothing says so.
const service = Number(process.argv[2]);
const endWithService = () => (process.connected && process.ppid === service ? undefined : endAll());
endWithService();
setInterval(endWithService, 1_000).unref();

function endAll(): never {
  for (const child of running) killGroup(child);
  process.exit();
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended, and the others still have to.
  }
}
// Whoever waits for an answer of the API comes first. Where all of the service comes last, nobody may come before it again.
setPriority(Math.max(getPriority(), 5));
