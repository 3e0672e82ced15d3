import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import type { Logger } from 'pino';
import type { Channel, Message } from '../foundation/cluster/siblings.ts';
import { createSwitchboard } from '../foundation/cluster/switchboard.ts';
import { type Config, memoryOfOneGit } from '../foundation/config/index.ts';
import type { Role } from '../foundation/ground.ts';
import { giveBackWhenIdle } from '../foundation/processes/idle-memory.ts';
import { limiterOfAll, limitsTopic } from '../foundation/rate-limits/shared-rate-limiter.ts';
import type { ToChild, ToPrimary } from './child-messages.ts';
import { AlreadyTold } from './command-error.ts';
import { compiledIn } from './load-service.ts';

type Options = {
  config: Config;
  log: Logger;
  role: Role;
  /** Number of processes that answer requests. */
  processes: number;
  /** Resolves when the database is open and migrated, while the first processes load. */
  opened: Promise<unknown>;
  stopped: Promise<string>;
};
type ChildRole = 'api' | 'worker';
type Ports = ToPrimary['ports'];

/** Uptime after which a process that was replaced counts as healthy again. */
const wellAfterMs = 60_000;
const longestPauseMs = 10_000;

/** Supervises the processes of the service: starts them, replaces those that die, and stops them in order. */
export async function runPrimary({ config, log, role, processes, opened, stopped }: Options): Promise<void> {
  const switchboard = createSwitchboard({ [limitsTopic]: limiterOfAll() });
  const running = new Map<ChildProcess, ChildRole>();
  const pauses = new Set<NodeJS.Timeout>();
  let isStopping = false;

  function launch(childRole: ChildRole, ports: Ports | null): ChildProcess {
    const child = fork(process.argv[1] ?? '', ['start', '--role', childRole, '--child'], {
      // biome-ignore lint/style/noProcessEnv: a child reads the same settings as its primary.
      env: { ...process.env, ...settingsOf(config, processes, ports) },
    });
    const channel = channelTo(child);
    running.set(child, childRole);
    switchboard.connect(channel);
    child.once('exit', () => {
      switchboard.disconnect(channel);
      running.delete(child);
    });
    // A child that dies while a message is sent to it does not need the message.
    child.on('error', () => undefined);
    return child;
  }

  /** Replaces the child whenever it dies: immediately at first, then after growing pauses while it keeps dying. */
  function keep(child: ChildProcess, childRole: ChildRole, ports: Ports, failures = 0): void {
    const begun = Date.now();
    child.once('exit', (code, signal) => {
      if (isStopping) return;
      log.error(
        { source: 'processes', role: childRole, pid: child.pid, code, signal },
        'a process exited; replacing it',
      );
      const again = Date.now() - begun > wellAfterMs ? 0 : failures;
      const pause = setTimeout(() => {
        pauses.delete(pause);
        keep(sendGo(launch(childRole, ports)), childRole, ports, again + 1);
      }, pauseAfter(again));
      pauses.add(pause);
    });
  }

  async function stop(childRole: ChildRole): Promise<void> {
    const leaving = [...running].flatMap(([child, itsRole]) => (itsRole === childRole ? [child] : []));
    const maxSeconds = config.lameDuckSeconds + config.shutdownTimeout + 5;
    await Promise.all(leaving.map((child) => stopChild(child, maxSeconds * 1000)));
  }

  try {
    const first = awaited(launch('api', null));
    // The worker starts early, unless a free port has to be found first.
    const earlyWorker =
      role === 'all' && config.port > 0 && config.apps.port > 0 ? awaited(launch('worker', null)) : null;
    await opened.catch((error: unknown) => {
      // The children have opened nothing yet, so they can be killed, and the error is reported without waiting for
      // them.
      for (const child of running.keys()) child.kill('SIGKILL');
      throw error;
    });
    for (const { child } of [first, ...(earlyWorker ? [earlyWorker] : [])]) sendGo(child);
    const ports = await first.isReady;
    keep(first.child, 'api', ports);
    if (role === 'all') {
      const worker = earlyWorker ?? awaited(sendGo(launch('worker', ports)));
      await worker.isReady;
      keep(worker.child, 'worker', ports);
    }
    giveBackWhenIdle();
    // The other processes start after the greeting, so that they do not delay it.
    first.child.send({
      kind: 'greet',
      processes: { requests: processes, background: role === 'all' },
    } satisfies ToChild);
    for (let count = 1; count < processes; count++) keep(sendGo(launch('api', ports)), 'api', ports);
    log.info({ reason: await stopped }, 'stopping all processes of the service');
  } finally {
    isStopping = true;
    for (const pause of pauses) clearTimeout(pause);
    // The worker stops last, so that it can still handle the work that the last requests caused.
    await stop('api');
    await stop('worker');
  }
}

function sendGo(child: ChildProcess): ChildProcess {
  child.send({ kind: 'go' } satisfies ToChild);
  return child;
}

const pauseAfter = (failures: number): number =>
  failures === 0 ? 0 : Math.min(longestPauseMs, 100 * 2 ** Math.min(failures, 10));

/**
 * The settings of a child. The resources of the node are divided among the processes. If the first process has found a
 * free port, the others listen there too.
 */
function settingsOf(config: Config, processes: number, ports: Ports | null): NodeJS.ProcessEnv {
  const { databasePool, gitSlots, gitMemory } = config;
  return {
    BOTTEGA_PROCESSES: String(processes),
    // Code that a child loads before it has read its settings is cached too.
    ...(getCompileCacheDir() === undefined && { NODE_COMPILE_CACHE: compiledIn(config) }),
    BOTTEGA_DATABASE_POOL: String(Math.max(4, Math.ceil(databasePool / processes))),
    BOTTEGA_GIT_PROCESSES: String(Math.ceil(gitSlots.total / processes)),
    BOTTEGA_GIT_MEMORY: String(Math.max(memoryOfOneGit, Math.floor(gitMemory / processes))),
    ...(ports && { PORT: String(ports.port), BOTTEGA_APPS_PORT: String(ports.appsPort) }),
  };
}

function channelTo(child: ChildProcess): Channel {
  return {
    send: (message) => void (child.connected && child.send(message)),
    onMessage: (listener) => void child.on('message', (message: Message) => listener(message)),
  };
}

/** Waits until a child is ready. If it does not become ready, it has reported the reason itself. */
function awaited(child: ChildProcess): { child: ChildProcess; isReady: Promise<Ports> } {
  const isReady = new Promise<Ports>((resolve, reject) => {
    child.on('message', (message: ToPrimary) => message.kind === 'ready' && resolve(message.ports));
    child.once('exit', () => reject(new AlreadyTold()));
  });
  // `isReady` may reject before anybody waits for it.
  isReady.catch(() => undefined);
  return { child, isReady };
}

async function stopChild(child: ChildProcess, maxMs: number): Promise<void> {
  // Not `once` of node:events, which rejects if a message cannot be sent to a child that has just ended.
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const late = setTimeout(() => child.kill('SIGKILL'), maxMs);
  if (child.connected) child.send({ kind: 'stop' } satisfies ToChild);
  await ended;
  clearTimeout(late);
}
