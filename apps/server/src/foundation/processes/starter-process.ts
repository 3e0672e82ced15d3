import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import type { FromStarter, ToStarter } from './starter.ts';

/** The program of the small process that starts other processes. `starter.ts` explains why it exists. */

const maxErrorText = 16_384;
/**
 * Makes a command wait for a line of input before it does anything. The service sends the line when it has the
 * descriptors of the pipes. Otherwise, this process could read the command's first output, which would then be lost.
 */
const waitForGo = 'read -r go; ';

const running = new Set<ChildProcess>();
/**
 * Sends a message to the service. If the service has just ended, nobody receives it, and the cleanup happens when the
 * channel closes.
 */
const tell = (message: FromStarter, handle?: Socket) => process.send?.(message, handle, undefined, () => undefined);

function start({ id, script, args, env }: ToStarter): void {
  // Each command gets a separate session, so that it can be ended together with everything that it starts, and signals
  // for the service do not reach it.
  const child = spawn('/bin/sh', ['-c', waitForGo + script, 'sh', ...args], { detached: true, env });
  child.on('error', ({ message }) => tell({ id, is: 'failed', words: message }));
  if (child.pid === undefined) return;
  running.add(child);
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(0, maxErrorText);
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
// The service may have ended while this process was loading, or while a descriptor was in transit. In these cases, no
// event reports the end of the service.
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
    // This process has already ended. The others still have to be killed.
  }
}
// Lowers the priority of all commands, because requests to the API go first. If the priority of the service is even
// lower, it is kept, because a process cannot raise its priority.
setPriority(Math.max(getPriority(), 5));
