import { type ChildProcess, spawn } from 'node:child_process';
import { lstat, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { bubblewrapOptions, commandInside } from './bubblewrap-arguments.ts';
import type { Cgroups, Group } from './cgroups.ts';
import { type Exit, type Running, SandboxError, type SandboxSpec } from './driver.ts';
import { giveTo } from './jobs-directory.ts';
import { attachNetwork, closedDestinations, type Network, nameServer, networkScript } from './network.ts';
import { descendantsOf, signalAll, untilGone } from './process-tree.ts';
import { watchMemory } from './watchdog.ts';

/** What was found on this machine; all that a run needs. */
export type Bubblewrap = {
  programs: { bwrap: string; setpriv: string | null; unshare: string | null; slirp: string | null; ip: string | null };
  cgroups: Cgroups | null;
  hasNetwork: boolean;
  /** Addresses that must stay closed besides this machine's own. */
  closed: readonly string[];
  hidden: string[];
  nodeDirectory: () => Promise<string>;
};

/** As root every run has a uid of its own, that no file of the system belongs to, and that the limits count. */
const firstUid = 60_600;
const uids = 500;
let runs = 0;

/**
 * A directory is given away once, before anything ran in it, and keeps its uid: what a run has left there is nothing
 * that we walk through.
 */
async function uidOf(directory: string): Promise<number> {
  const { uid: owner } = await lstat(join(directory, 'workspace'));
  if (owner !== 0) return owner;
  const uid = firstUid + (runs++ % uids);
  for (const name of ['tmp', 'run', 'workspace']) await giveTo(uid, join(directory, name));
  return uid;
}

const joinScript = `while [ "$1" != -- ]; do echo $$ >"$1" || exit 125; shift; done; shift; exec "$@"`;

/**
 * One run: the shell enters the control group and becomes (by way of setpriv, as root, and unshare, for the network)
 * bwrap, so that all of it is one process, our child. bwrap dies with us, and its namespace of processes with it: there
 * is no way to leave one behind.
 */
export async function startBubblewrap(found: Bubblewrap, spec: SandboxSpec): Promise<Running> {
  const uid = process.getuid?.() === 0 ? await uidOf(spec.directory) : null;
  const hasNetwork = found.hasNetwork && !spec.isReadOnly;
  // Of a former run in the same directory; a socket cannot be listened on twice.
  await rm(join(spec.directory, 'run', 's'), { force: true });
  const options = await bubblewrapOptions(spec, {
    nodeDirectory: await found.nodeDirectory(),
    hidden: found.hidden,
    nameServer: hasNetwork ? nameServer : null,
  });
  const group = (await found.cgroups?.create(spec.id, spec.limits)) ?? null;
  const child = spawn('/bin/sh', ['-c', joinScript, 'sh', ...commandLine(found, { spec, uid, group })], {
    env: {},
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  for (const stream of child.stdio) stream?.on('error', () => undefined);
  pipe(child, 3).end(options.map((option) => `${option}\0`).join(''));
  const place = spec.port === null ? null : { path: await shortPath(join(spec.directory, 'run', 's'), spec.id) };
  return { ...(await follow(found, { spec, uid, group, child })), place };
}

function commandLine(
  found: Bubblewrap,
  { spec, uid, group }: { spec: SandboxSpec; uid: number | null; group: Group | null },
) {
  const { bwrap, unshare, ip } = found.programs;
  const network =
    found.hasNetwork && !spec.isReadOnly
      ? [
          ...[unshare ?? 'unshare', '--user', '--map-root-user', '--net', '--', '/bin/sh', '-c', networkScript, 'sh'],
          ...[ip ?? 'ip', ...closedDestinations(found.closed), '--'],
        ]
      : [];
  return [
    ...(group?.procs ?? []),
    '--',
    ...asUid(found, uid),
    ...network,
    ...[bwrap, '--args', '3', '--', ...commandInside(spec)],
  ];
}

const asUid = ({ programs }: Bubblewrap, uid: number | null): string[] =>
  uid === null ? [] : [programs.setpriv ?? 'setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--'];

type Followed = { spec: SandboxSpec; uid: number | null; group: Group | null; child: ChildProcess };

async function follow(found: Bubblewrap, { spec, uid, group, child }: Followed): Promise<Omit<Running, 'place'>> {
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
  const closed = new Promise<number | null>((resolve) => {
    // What the command left running goes with the first process of its namespace.
    child.on('exit', () => inner !== null && signalAll([inner], 'SIGKILL'));
    child.on('close', (code) => resolve(code));
    child.on('error', () => resolve(null));
  });
  const info = readInfo(child).then((pid) => {
    inner = pid;
    return pid;
  });
  const timer = spec.limits.seconds === null ? null : setTimeout(kill, spec.limits.seconds * 1000, 'time');
  const unwatch =
    group === null && child.pid ? watchMemory(child.pid, spec.limits.memoryBytes, () => kill('memory')) : null;
  let network: Network | null = null;
  const ended = closed.then(async (code): Promise<Exit> => {
    if (timer) clearTimeout(timer);
    unwatch?.();
    if (inner !== null) await untilGone([inner]);
    await network?.stop();
    if (group && stoppedBy === null && code !== 0 && (await group.wasOutOfMemory())) stoppedBy = 'memory';
    await group?.remove();
    return { code, stoppedBy };
  });
  try {
    if (found.hasNetwork && !spec.isReadOnly) network = await connect(found, uid, child);
    if ((await info) === null) throw new SandboxError(`The sandbox could not be set up: ${await lastWords(stderr)}`);
  } catch (error) {
    kill(null);
    stdout.resume();
    stderr.resume();
    await ended;
    throw error;
  }
  const stop = async (graceMs: number) => {
    if (graceMs > 0 && child.pid && stoppedBy === null) {
      stoppedBy = 'request';
      const inside = (await descendantsOf(child.pid)).filter(({ pid }) => pid !== child.pid && pid !== inner);
      signalAll(
        inside.map(({ pid }) => pid),
        'SIGTERM',
      );
      await Promise.race([ended, delay(graceMs, undefined, { ref: false })]);
    }
    kill('request');
    await ended;
  };
  return { ended, stop, stdout, stderr };
}

/** Of a sandbox that came to nothing; nobody else reads them. */
async function lastWords(stderr: Readable): Promise<string> {
  let words = '';
  for await (const chunk of stderr) words = (words + String(chunk)).slice(-2_000);
  return words.trim() || 'no reason given';
}

/** Once the namespace is there; then the shell in it may go on. */
async function connect(found: Bubblewrap, uid: number | null, child: ChildProcess): Promise<Network | null> {
  const ready = await new Promise<boolean>((resolve) => {
    pipe(child, 6).once('data', () => resolve(true));
    child.once('exit', () => resolve(false));
  });
  if (!ready || !child.pid) return null;
  const network = await attachNetwork([...asUid(found, uid), found.programs.slirp ?? 'slirp4netns'], child.pid);
  pipe(child, 5).write('go\n');
  return network;
}

/** What bwrap says once it has made its namespaces: the host's number of the first process inside. Null: it never did. */
function readInfo(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    let text = '';
    pipe(child, 4).on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const [, pid] = /"child-pid":\s*(\d+)/.exec(text) ?? [];
      if (pid) resolve(Number(pid));
    });
    // Not the child's own end: that one waits for somebody to read what it wrote.
    pipe(child, 4).on('close', () => resolve(null));
    child.on('error', () => resolve(null));
  });
}

type Pipe = NodeJS.ReadableStream & NodeJS.WritableStream;
const pipe = (child: ChildProcess, number: 3 | 4 | 5 | 6): Pipe => (child.stdio as unknown as Pipe[])[number] as Pipe;

/** The address of a socket has 107 bytes at most, and a data directory may be anywhere. */
async function shortPath(path: string, id: string): Promise<string> {
  if (Buffer.byteLength(path) <= 100) return path;
  const link = join(tmpdir(), `bottega-${id}`);
  await rm(link, { force: true });
  await symlink(join(path, '..'), link);
  return join(link, 's');
}
