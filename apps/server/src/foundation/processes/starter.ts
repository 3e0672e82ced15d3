import { fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { extname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { once } from '../concurrency/once.ts';
import { findCgroups, type Group } from './cgroups.ts';

/** A shell script with its arguments from `$1`. `env` is its whole environment. */
export type Command = { script: string; args: readonly string[]; env: Record<string, string> };

export type Started = {
  stdin: Writable;
  stdout: Readable;
  /** Resolves when the command has ended and all output was read. The words are its standard error. Never rejects. */
  ended: Promise<Ended>;
  /** Kills the command and everything that it started. */
  kill(): void;
};
type Ended = { code: number | null; words: string };

export type ToStarter = Command & { id: number };
export type FromStarter = { id: number } & (
  | { is: 'input'; pid: number }
  | { is: 'output' }
  | { is: 'failed'; words: string }
  | { is: 'ended'; code: number | null; words: string }
);

/**
 * Starts programs through a small process. When a process starts another one, the system copies its page tables. If the
 * service has some hundred megabytes, this blocks its event loop for 15 ms. With the small process, the service only
 * has to receive the ends of two pipes. The small process is started when it is needed, and ends some time after the
 * last command. It also ends when the service ends for any reason, and then ends everything that it has started.
 */
export type Starter = {
  /** Rejects if no process was started. */
  start(command: Command): Promise<Started>;
  close(): Promise<void>;
};

type Settings = {
  name: string;
  memoryBytes?: number;
  /** Time without any running command after which the small process ends. */
  idleMs?: number;
};

/**
 * Creates a starter. If a memory limit is given, it applies to all commands together, provided that we can create
 * control groups on this system.
 */
export function createStarter({ name, memoryBytes, idleMs = 30_000 }: Settings): Starter {
  let current: ReturnType<typeof openStarter> | null = null;
  let running = 0;
  let idle: NodeJS.Timeout | undefined;
  const ended = (): void => {
    running--;
    if (running === 0) idle = setTimeout(() => void current?.close(), idleMs).unref();
  };
  return {
    async start(command) {
      clearTimeout(idle);
      running++;
      try {
        if (!current?.isOpen()) current = openStarter(memoryBytes === undefined ? null : { name, memoryBytes });
        const started = await current.start(command);
        void started.ended.then(ended);
        return started;
      } catch (error) {
        ended();
        throw error;
      }
    },
    async close() {
      clearTimeout(idle);
      await current?.close();
    },
  };
}

const cgroups = once(findCgroups);
let groups = 0;

/**
 * Creates the control group for the small process and its commands. Null if there are no control groups. In that case,
 * only the limit of each single process applies.
 */
async function groupFor(pid: number | undefined, shared: { name: string; memoryBytes: number }): Promise<Group | null> {
  const limits = { memoryBytes: shared.memoryBytes, processes: 10_000, cpus: availableParallelism(), endsOne: true };
  const group = await (await cgroups())?.create(`${shared.name}_${process.pid}_${++groups}`, limits);
  if (!group || pid === undefined) return null;
  await Promise.all(group.procs.map((procs) => writeFile(procs, String(pid))));
  return group;
}

/** The program is TypeScript in a clone and JavaScript in the package, like this file. */
const program = join(import.meta.dirname, `starter-process${extname(import.meta.filename)}`);

type Running = {
  pid: number | null;
  stdin: Socket | null;
  began(started: Started): void;
  failed(reason: string): void;
  ended(how: Ended): void;
  whenEnded: Promise<Ended>;
};

function openStarter(shared: { name: string; memoryBytes: number } | null) {
  const running = new Map<number, Running>();
  // Signals to the service, such as Ctrl-C in a terminal, must not reach the small process. It notices the end of the
  // service itself.
  const child = fork(program, [String(process.pid)], {
    detached: true,
    env: {},
    execArgv: [],
  });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', resolve);
    child.once('error', () => resolve());
  });
  const group = shared ? groupFor(child.pid, shared).catch(() => null) : Promise.resolve(null);
  const cleared = gone.then(async () => (await group)?.remove());
  void gone.then(() => {
    for (const one of [...running.values()]) abandon(one);
  });

  child.on('message', (message: FromStarter, handle) => {
    const one = running.get(message.id);
    if (!one) return;
    if (message.is === 'input') Object.assign(one, { pid: message.pid, stdin: handle ?? null });
    else if (message.is === 'output') connect(one, (handle as Socket | undefined) ?? null);
    else {
      // Once the command has started, only its end matters.
      one.failed(message.words);
      one.ended({ code: message.is === 'ended' ? message.code : null, words: message.words });
    }
  });

  let lastId = 0;
  return {
    isOpen: () => child.connected,
    async start(command: Command): Promise<Started> {
      // Commands start in the control group of the small process, so it must be in its group before the first command
      // starts.
      await group;
      const id = ++lastId;
      const { promise: whenBegan, resolve: began, reject } = Promise.withResolvers<Started>();
      const { promise: whenEnded, resolve: ended } = Promise.withResolvers<Ended>();
      const failed = (reason: string) => {
        running.delete(id);
        reject(new Error(`no process could be started: ${reason}`));
      };
      running.set(id, { pid: null, stdin: null, began, failed, ended, whenEnded });
      if (!child.connected) failed('the helper process that starts other processes could not be started');
      else child.send({ id, ...command } satisfies ToStarter, (error) => error && failed(error.message));
      return whenBegan;
    },
    async close() {
      if (child.connected) child.disconnect();
      await cleared;
    },
  };
}

/**
 * Connects the pipes, so that the command can continue. If there were no free file descriptors, the pipes did not
 * arrive.
 */
function connect(one: Running, stdout: Socket | null): void {
  const { stdin, whenEnded } = one;
  let isRunning = true;
  const kill = () => {
    if (isRunning) killGroup(one.pid);
  };
  if (!stdin || !stdout) {
    one.failed('its input and output did not arrive');
    kill();
    return;
  }
  // The command may end before it has read everything. Its exit code says whether that was an error.
  stdin.on('error', () => undefined).resume();
  // Without this, the input of a command that has ended would count as complete, and code that still writes to it would
  // wait forever.
  stdin.allowHalfOpen = true;
  void whenEnded.then(() => stdin.destroy());
  const closed = new Promise((resolve) => stdout.on('error', () => undefined).once('close', resolve));
  const ended = whenEnded.then(async (how) => {
    isRunning = false;
    // Output that nobody reads must not block the command.
    stdout.resume();
    await closed;
    return how;
  });
  stdin.write('\n');
  one.began({ stdin, stdout, ended, kill });
}

/** The small process was killed, so nobody can report how this command ends. */
function abandon(one: Running): void {
  killGroup(one.pid);
  one.failed('the helper process that starts other processes has ended');
  one.ended({ code: null, words: 'fatal: the helper process that starts other processes has ended\n' });
}

function killGroup(pid: number | null): void {
  try {
    if (pid !== null) process.kill(-pid, 'SIGKILL');
  } catch {
    // The command has just ended.
  }
}
