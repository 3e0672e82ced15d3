import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { assertStarted } from '../../foundation/concurrency/started.ts';
import type { BuildDriver, Exit, Running, SandboxSpec } from './driver.ts';
import { processesMarked, signalAll, untilGone } from './process-tree.ts';
import { createWatchdog, type Watchdog } from './watchdog.ts';

/**
 * Runs commands without any isolation: everyone who may deploy can do what the service's user can, and `isReadOnly` has
 * no effect. It is used only if it is configured by name.
 */
export function processDriver({ executablePath }: { executablePath: string }): BuildDriver {
  const watchdog = createWatchdog();
  return {
    name: 'process',
    probe: async () => ({
      driver: 'process',
      isolated: false,
      memory: process.platform === 'linux' ? 'watchdog over resident memory' : 'none',
      processes: 'none',
      cpu: 'less weight than the service',
      disk: 'counted',
      file_size: 'none',
      network: 'the machine’s own',
      seccomp: 'none',
      user_namespaces: 'the machine’s own',
      problem: null,
      workspaces: 'Workspaces need the bubblewrap or the container driver',
      notes: [],
    }),
    start: (spec) => startProcess({ executablePath, watchdog }, spec),
  };
}

type Tools = { executablePath: string; watchdog: Watchdog };

async function startProcess({ executablePath, watchdog }: Tools, spec: SandboxSpec): Promise<Running> {
  // A free port instead of the requested one, which another program on this machine may use.
  const port = spec.port === null ? null : await freePort();
  const mark = `BOTTEGA_RUN=${spec.id}`;
  const child = spawn('/bin/sh', ['-c', spec.command], {
    cwd: join(spec.directory, 'workspace'),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: executablePath,
      HOME: join(spec.directory, 'tmp'),
      TMPDIR: join(spec.directory, 'tmp'),
      LANG: 'C.UTF-8',
      CI: 'true',
      ...spec.environment,
      ...(port !== null && { PORT: String(port) }),
      BOTTEGA_RUN: spec.id,
    },
  });
  assertStarted(child);
  if (child.pid) setPriority(child.pid, Math.max(getPriority(), 10));
  let stoppedBy: Exit['stoppedBy'] = null;
  const kill = async (why: Exit['stoppedBy']): Promise<void> => {
    stoppedBy ??= why;
    await killMarked(mark, child.pid);
  };
  const { seconds, memoryBytes } = spec.limits;
  const timer = seconds === null ? null : setTimeout(() => void kill('time'), seconds * 1000);
  const unwatch = child.pid ? watchdog(child.pid, memoryBytes, () => void kill('memory')) : null;
  const ended = new Promise<number | null>((resolve) => {
    // Processes that the command left running keep its output open.
    child.on('exit', () => void killMarked(mark, child.pid));
    child.on('close', (code) => resolve(code));
    child.on('error', () => resolve(null));
  }).then(async (code): Promise<Exit> => {
    if (timer) clearTimeout(timer);
    unwatch?.();
    await killMarked(mark, child.pid);
    return { code, stoppedBy };
  });
  return {
    ended,
    stdout: child.stdout,
    stderr: child.stderr,
    notes: [],
    channel: null,
    processes: () => processesMarked(mark),
    place: port === null ? null : { host: '127.0.0.1', port },
    async stop(graceMs) {
      stoppedBy ??= 'request';
      if (graceMs > 0 && child.pid) {
        signalAll([-child.pid], 'SIGTERM');
        await Promise.race([ended, delay(graceMs, undefined, { ref: false })]);
      }
      await kill('request');
      await ended;
    },
  };
}

/**
 * Kills all processes with this mark. A process may have left the group, but it still has the mark in its environment.
 * It may also have just started another one.
 */
async function killMarked(mark: string, group: number | undefined): Promise<void> {
  if (group) signalAll([-group], 'SIGKILL');
  for (;;) {
    const pids = await processesMarked(mark);
    if (pids.length === 0) return;
    signalAll(pids, 'SIGKILL');
    await untilGone(pids);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
