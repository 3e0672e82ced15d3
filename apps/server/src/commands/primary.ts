import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import type { Logger } from 'pino';
import { limiterOfAll, limitsTopic } from '../foundation/concurrency/shared-rate-limiter.ts';
import type { Config } from '../foundation/config/index.ts';
import type { Role } from '../foundation/ground.ts';
import { endWhatItWasHanded } from '../foundation/processes/handed-connections.ts';
import type { Channel, Message } from '../foundation/processes/siblings.ts';
import { createSwitchboard } from '../foundation/processes/switchboard.ts';
import type { ToChild, ToPrimary } from './child-messages.ts';
import { AlreadyTold } from './command-error.ts';
import { compiledIn } from './load-service.ts';

type Options = {
  config: Config;
  log: Logger;
  role: Role;
  processes: number;
  /** The database, which is brought up to date while the first processes load. */
  opened: Promise<unknown>;
  stopped: Promise<string>;
};
type ChildRole = 'api' | 'worker';
type Ports = ToPrimary['ports'];

/** After which a process that was replaced counts as well again. */
const wellAfterMs = 60_000;
const longestPauseMs = 10_000;

/** Looks after the processes of the service: starts them, replaces what dies, and stops them in order. */
export async function runPrimary({ config, log, role, processes, opened, stopped }: Options): Promise<void> {
  const switchboard = createSwitchboard({ [limitsTopic]: limiterOfAll() });
  const running = new Map<Worker, ChildRole>();
  const pauses = new Set<NodeJS.Timeout>();
  let isStopping = false;

  function fork(childRole: ChildRole, ports: Ports | null): Worker {
    cluster.setupPrimary({ exec: process.argv[1] ?? '', args: ['start', '--role', childRole] });
    const child = cluster.fork(settingsOf(config, processes, childRole === 'worker' ? ports : null));
    endWhatItWasHanded(child);
    const channel = channelTo(child);
    running.set(child, childRole);
    switchboard.connect(channel);
    child.once('exit', () => {
      switchboard.disconnect(channel);
      running.delete(child);
    });
    // One that dies while it is written to has nothing to hear any more.
    child.on('error', () => undefined);
    return child;
  }

  /** Replaced for as long as the service runs: at once, then after pauses that grow while it goes on dying. */
  function keep(child: Worker, childRole: ChildRole, ports: Ports, failures = 0): void {
    const begun = Date.now();
    child.once('exit', (code, signal) => {
      if (isStopping) return;
      const pid = child.process.pid;
      log.error({ source: 'processes', role: childRole, pid, code, signal }, 'a process ended and is replaced');
      const again = Date.now() - begun > wellAfterMs ? 0 : failures;
      const pause = setTimeout(() => {
        pauses.delete(pause);
        keep(letGo(fork(childRole, ports)), childRole, ports, again + 1);
      }, pauseAfter(again));
      pauses.add(pause);
    });
  }

  async function stop(childRole: ChildRole): Promise<void> {
    const leaving = [...running].flatMap(([child, itsRole]) => (itsRole === childRole ? [child] : []));
    const mostSeconds = config.lameDuckSeconds + config.shutdownTimeout + 5;
    await Promise.all(leaving.map((child) => stopChild(child, mostSeconds * 1000)));
  }

  try {
    const first = awaited(fork('api', null));
    // Where a free port has to be found, it waits for that.
    const beside = role === 'all' && config.port > 0 && config.apps.port > 0 ? awaited(fork('worker', null)) : null;
    await opened.catch((error: unknown) => {
      // They hold nothing yet, and nobody should wait for them to hear why there is no start.
      for (const child of running.keys()) child.process.kill('SIGKILL');
      throw error;
    });
    for (const { child } of [first, ...(beside ? [beside] : [])]) letGo(child);
    const ports = await first.isReady;
    keep(first.child, 'api', ports);
    if (role === 'all') {
      const worker = beside ?? awaited(letGo(fork('worker', ports)));
      await worker.isReady;
      keep(worker.child, 'worker', ports);
    }
    // The others follow: they take nobody's time who wants to begin.
    first.child.send({ kind: 'greet' } satisfies ToChild);
    for (let count = 1; count < processes; count++) keep(letGo(fork('api', ports)), 'api', ports);
    log.info({ reason: await stopped }, 'stopping the processes of the service');
  } finally {
    isStopping = true;
    for (const pause of pauses) clearTimeout(pause);
    // What the last requests have caused may still go out.
    await stop('api');
    await stop('worker');
  }
}

function letGo(child: Worker): Worker {
  child.send({ kind: 'go' } satisfies ToChild);
  return child;
}

const pauseAfter = (failures: number): number =>
  failures === 0 ? 0 : Math.min(longestPauseMs, 100 * 2 ** Math.min(failures, 10));

/** What a node may use is shared by its processes. A free port that was found is known to the one that does not open it. */
function settingsOf(config: Config, processes: number, ports: Ports | null): NodeJS.ProcessEnv {
  const { databasePool, gitSlots } = config;
  return {
    // So that also what they load before they know their settings is found compiled.
    ...(getCompileCacheDir() === undefined && { NODE_COMPILE_CACHE: compiledIn(config) }),
    BOTTEGA_DATABASE_POOL: String(Math.max(4, Math.ceil(databasePool / processes))),
    BOTTEGA_GIT_PROCESSES: String(Math.ceil(gitSlots.total / processes)),
    ...(ports && { PORT: String(ports.port), BOTTEGA_APPS_PORT: String(ports.appsPort) }),
  };
}

function channelTo(child: Worker): Channel {
  return {
    send: (message) => void (child.isConnected() && child.send(message)),
    onMessage: (listener) => void child.on('message', (message: Message) => listener(message)),
  };
}

/** What keeps it from becoming ready, it has told by itself. */
function awaited(child: Worker): { child: Worker; isReady: Promise<Ports> } {
  const isReady = new Promise<Ports>((resolve, reject) => {
    child.on('message', (message: ToPrimary) => message.kind === 'ready' && resolve(message.ports));
    child.once('exit', () => reject(new AlreadyTold()));
  });
  // It may be over before anybody asks.
  isReady.catch(() => undefined);
  return { child, isReady };
}

async function stopChild(child: Worker, mostMs: number): Promise<void> {
  const ended = once(child, 'exit');
  const late = setTimeout(() => child.process.kill('SIGKILL'), mostMs);
  if (child.isConnected()) child.send({ kind: 'stop' } satisfies ToChild);
  await ended;
  clearTimeout(late);
}
