import { fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { extname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { type Cgroups, findCgroups, type Group } from './cgroups.ts';

/** A script of the shell with its arguments from `$1`; `env` is all of its environment. */
export type Command = { script: string; args: readonly string[]; env: Record<string, string> };

export type Started = {
  stdin: Writable;
  stdout: Readable;
  /** Once it has ended and all that it wrote was read; the words are what it wrote to its standard error. Never rejects. */
  ended: Promise<Ended>;
  /** With all that it started. */
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
 * Starts programs by way of a small process. The system copies the page tables of whoever starts a process, which takes a
 * service of some hundred megabytes 15 ms of its event loop; this one only receives the ends of two pipes. The small
 * process is started when it is first needed, and ends with the service, however that ends, and all that it started.
 */
export type Starter = {
  /** Rejects where no process came of it. */
  start(command: Command): Promise<Started>;
  close(): Promise<void>;
};

/** With a limit of memory, all that it starts shares it, where the system has control groups that we may make. */
export function createStarter({ name, memoryBytes }: { name: string; memoryBytes?: number }): Starter {
  let current: ReturnType<typeof openStarter> | null = null;
  return {
    start(command) {
      if (!current?.isOpen()) current = openStarter(memoryBytes === undefined ? null : { name, memoryBytes });
      return current.start(command);
    },
    close: async () => current?.close(),
  };
}

let cgroups: Promise<Cgroups | null> | null = null;
let groups = 0;

/** Null: there are no control groups, and only the limit of each process holds. */
async function groupFor(pid: number | undefined, shared: { name: string; memoryBytes: number }): Promise<Group | null> {
  cgroups ??= findCgroups();
  const limits = { memoryBytes: shared.memoryBytes, processes: 10_000, cpus: availableParallelism(), endsOne: true };
  const group = await (await cgroups)?.create(`${shared.name}_${process.pid}_${++groups}`, limits);
  if (!group || pid === undefined) return null;
  await Promise.all(group.procs.map((procs) => writeFile(procs, String(pid))));
  return group;
}

/** Of this kind too: TypeScript in a clone, JavaScript in the package. */
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
  // A signal for the service, as by the keys of a terminal, is not for it: it hears of the service's end.
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
      // Where it has begun, only its end is news.
      one.failed(message.words);
      one.ended({ code: message.is === 'ended' ? message.code : null, words: message.words });
    }
  });

  let lastId = 0;
  return {
    isOpen: () => child.connected,
    async start(command: Command): Promise<Started> {
      // What it starts is where it is itself.
      await group;
      const id = ++lastId;
      const { promise: whenBegan, resolve: began, reject } = Promise.withResolvers<Started>();
      const { promise: whenEnded, resolve: ended } = Promise.withResolvers<Ended>();
      const failed = (reason: string) => {
        running.delete(id);
        reject(new Error(`no process could be started: ${reason}`));
      };
      running.set(id, { pid: null, stdin: null, began, failed, ended, whenEnded });
      if (!child.connected) failed('the process that starts others could not be started');
      else child.send({ id, ...command } satisfies ToStarter, (error) => error && failed(error.message));
      return whenBegan;
    },
    async close() {
      if (child.connected) child.disconnect();
      await cleared;
    },
  };
}

/** Both ends are here: it may go on. Without descriptors of our own they did not arrive. */
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
  // It may end before it has read everything; its end tells whether that was an error.
  stdin.on('error', () => undefined).resume();
  const closed = new Promise((resolve) => stdout.on('error', () => undefined).once('close', resolve));
  const ended = whenEnded.then(async (how) => {
    isRunning = false;
    // What nobody reads must not keep it from its end.
    stdout.resume();
    await closed;
    return how;
  });
  stdin.write('\n');
  one.began({ stdin, stdout, ended, kill });
}

/** The small process was killed: nobody is left to tell how this one ends. */
function abandon(one: Running): void {
  killGroup(one.pid);
  one.failed('the process that starts others has ended');
  one.ended({ code: null, words: 'fatal: the process that starts others has ended\n' });
}

function killGroup(pid: number | null): void {
  try {
    if (pid !== null) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
