import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { link, readFile, readlink, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isAlive } from '../../processes/is-alive.ts';
import { EmbeddedDatabaseError } from './errors.ts';
import { socketName } from './layout.ts';

/**
 * What postmaster.pid says about a cluster. The file is checked against the running processes, because after a reboot,
 * or in a restarted container, the process id may belong to another program.
 */
export type Postmaster =
  | { state: 'absent' }
  | { state: 'unwritten' }
  | { state: 'stale'; record: string }
  | { state: 'starting' | 'ready' | 'stopping'; pid: number; socketDir: string };

const fastShutdownPatience = 60_000;
const immediateShutdownPatience = 20_000;
const writingPatience = 5_000;

export async function inspectPostmaster(cluster: string): Promise<Postmaster> {
  const path = join(cluster, 'postmaster.pid');
  const record = await readFile(path, 'utf8').catch(() => undefined);
  if (record === undefined) return { state: 'absent' };
  const lines = record.split('\n').map((line) => line.trim());
  const pid = processIn(record);
  if (!pid) return (await isFresh(path)) ? { state: 'unwritten' } : { state: 'stale', record };
  if (!(await isPostmasterOf(pid, cluster))) return { state: 'stale', record };
  const [socketDir = '', , , status] = lines.slice(4);
  const state = status === 'ready' || status === 'stopping' ? status : 'starting';
  return { state, pid, socketDir };
}

/** The process id in the file. 0 if there is none. The number is negative in single-user mode. */
function processIn(record: string): number {
  return Math.abs(Number.parseInt(record, 10)) || 0;
}

/**
 * Whether the file was just created. PostgreSQL creates the file first and writes to it afterwards. After a power cut,
 * the file can stay empty, so an old empty file is stale.
 */
async function isFresh(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs < writingPatience;
}

/** Sends a signal. Returns whether the process exists. */
function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Whether the process is the server of this cluster. Returns false for a zombie, which has no command line. In a
 * container without a process that reaps zombies, a dead server stays one.
 */
async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') {
    const listing = promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
    const { stdout } = await listing.catch(() => ({ stdout: '' }));
    return stdout.includes(`/postgres -D ${cluster} `);
  }
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const [program = '', ...args] = commandLine.split('\0');
  if (basename(program) !== 'postgres') return false;
  // The working directory is the cluster, even after the cluster was moved, but not everyone may read it.
  return args.includes(cluster) || (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === cluster;
}

/**
 * PostgreSQL removes the file of a dead process itself, but refuses to start while the process id in it belongs to any
 * living process. Removing the file also removes its note of the shared memory. If a backend is still alive, PostgreSQL
 * finds the shared memory even without that note, by the inode of the cluster.
 *
 * Another starter may have replaced the file since it was read. So the file is moved, checked, and moved back if it is
 * not the one that was found stale.
 */
export async function removeStaleLocks(cluster: string, socketDir: string, record?: string) {
  if (record !== undefined && !namesDeadProcess(record)) {
    const path = join(cluster, 'postmaster.pid');
    const aside = `${path}.stale-${randomBytes(4).toString('hex')}`;
    const moved = await rename(path, aside).then(
      () => true,
      () => false,
    );
    if (moved && (await readFile(aside, 'utf8')) !== record) {
      await link(aside, path).catch(() => undefined);
    }
    await rm(aside, { force: true });
  }
  // Next to the socket, PostgreSQL keeps a second lock file with a process id. It protects nothing here, because the
  // directory belongs to one cluster. But as long as any process has that id, PostgreSQL refuses to start.
  const socketLock = join(socketDir, `${socketName}.lock`);
  const holder = processIn(await readFile(socketLock, 'utf8').catch(() => ''));
  if (!holder || !(await isPostmasterOf(holder, cluster))) await rm(socketLock, { force: true });
}

function namesDeadProcess(record: string): boolean {
  const pid = processIn(record);
  return pid > 0 && !isAlive(pid);
}

/** Stops the server: it disconnects all clients, writes a checkpoint and ends. Resolves when the process is gone. */
export async function stopPostmaster(pid: number, cluster: string, warn: (text: string) => void) {
  if (await endsAfter('SIGINT', fastShutdownPatience)) return;
  warn('PostgreSQL did not stop in time; stopping it immediately. It will recover at its next start.');
  if (await endsAfter('SIGQUIT', immediateShutdownPatience)) return;
  throw new EmbeddedDatabaseError(`PostgreSQL (process ${pid}) in ${cluster} does not stop`);

  async function endsAfter(signal: NodeJS.Signals, patience: number): Promise<boolean> {
    const deadline = Date.now() + patience;
    if (!(await isPostmasterOf(pid, cluster))) return true;
    send(pid, signal);
    while (Date.now() < deadline) {
      if (!(await isPostmasterOf(pid, cluster))) return true;
      await delay(15);
    }
    return false;
  }
}
