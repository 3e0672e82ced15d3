import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { reasonSentence } from '@bottega/contract';
import type { Group } from '../../foundation/processes/cgroups.ts';
import { descriptors } from './bubblewrap-arguments.ts';
import { type Exit, type Running, SandboxError, type SandboxSpec } from './driver.ts';
import type { Network } from './network.ts';
import { descendantsOf, signalAll, untilGone } from './process-tree.ts';
import type { Watchdog } from './watchdog.ts';

type Followed = {
  spec: SandboxSpec;
  group: Group | null;
  child: ChildProcess;
  connect(): Promise<Network | null>;
  /** Releases the run's resources once all its processes are gone. */
  release(): Promise<void>;
  watchdog: Watchdog;
};

/** Follows a run from its first process to its last. Throws a `SandboxError` if the sandbox could not be set up. */
export async function follow(
  followed: Followed,
): Promise<Pick<Running, Exclude<keyof Running, 'place' | 'notes' | 'channel'>>> {
  const { spec, group, child, connect, release, watchdog } = followed;
  let stoppedBy: Exit['stoppedBy'] = null;
  let inner: number | null = null;
  const kill = (why: Exit['stoppedBy']) => {
    stoppedBy ??= why;
    signalAll(
      [inner, child.pid].flatMap((pid) => pid ?? []),
      'SIGKILL',
    );
  };
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('a child was started without its pipes');
  const releaseStderr = holdStderr(stderr);
  const closed = closeOf(child, () => inner);
  const info = readInfo(child).then((pid) => {
    inner = pid;
    return pid;
  });
  const { seconds, memoryBytes } = spec.limits;
  const timer = seconds === null ? null : setTimeout(kill, seconds * 1000, 'time');
  const unwatch = group === null && child.pid ? watchdog(child.pid, memoryBytes, () => kill('memory')) : null;
  let network: Network | null = null;
  const ended = closed.then(async (code): Promise<Exit> => {
    if (timer) clearTimeout(timer);
    unwatch?.();
    if (inner !== null) await untilGone([inner]);
    await network?.stop();
    if (group && stoppedBy === null && code !== 0 && (await group.wasOutOfMemory())) stoppedBy = 'memory';
    await release();
    return { code, stoppedBy };
  });
  try {
    network = await connect();
    if ((await info) === null)
      throw new SandboxError(reasonSentence('sandbox_failed', { detail: await lastWords(stderr) }));
  } catch (error) {
    kill(null);
    stdout.resume();
    releaseStderr();
    stderr.resume();
    await ended;
    throw error;
  }
  releaseStderr();
  const processes = async () => {
    const all = child.pid ? await descendantsOf(child.pid) : [];
    return all.map(({ pid }) => pid).filter((pid) => pid !== child.pid && pid !== inner);
  };
  const stop = async (graceMs: number) => {
    if (graceMs > 0 && child.pid && stoppedBy === null) {
      stoppedBy = 'request';
      signalAll(await processes(), 'SIGTERM');
      await Promise.race([ended, delay(graceMs, undefined, { ref: false })]);
    }
    kill('request');
    await ended;
  };
  return { ended, stop, stdout, stderr, processes };
}

function closeOf(child: ChildProcess, inner: () => number | null): Promise<number | null> {
  return new Promise((resolve) => {
    // Killing the first process of the namespace ends all processes that the command left running.
    child.on('exit', () =>
      signalAll(
        [inner()].flatMap((pid) => pid ?? []),
        'SIGKILL',
      ),
    );
    child.on('close', (code) => resolve(code));
    child.on('error', () => resolve(null));
  });
}

/**
 * Keeps standard error readable. When a child exits, Node discards output that was not read, but the reason for a
 * failure is read after that.
 */
function holdStderr(stderr: Readable): () => void {
  const hold = () => undefined;
  stderr.on('readable', hold);
  return () => void stderr.off('readable', hold);
}

/** Reads the output of a sandbox that failed, because nobody else reads it. */
async function lastWords(stderr: Readable): Promise<string> {
  let words = '';
  for await (const chunk of stderr) words = (words + String(chunk)).slice(-2_000);
  return words.trim() || 'no reason given';
}

/**
 * The pid of the first process inside, as the host numbers it. bwrap reports it once its namespaces exist. Null if
 * bwrap never did.
 */
function readInfo(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    let text = '';
    pipe(child, 'info').on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const [, pid] = /"child-pid":\s*(\d+)/.exec(text) ?? [];
      if (pid) resolve(Number(pid));
    });
    // The end of this pipe, and not the exit of the child, because the exit is reported only when its output was read.
    pipe(child, 'info').on('close', () => resolve(null));
    child.on('error', () => resolve(null));
  });
}

type Pipe = NodeJS.ReadableStream & NodeJS.WritableStream;

export const pipe = (child: ChildProcess, name: 'options' | 'info' | 'go' | 'ready' | 'channel'): Pipe =>
  (child.stdio as unknown as Pipe[])[descriptors[name]] as Pipe;
