import { createHash, randomBytes } from 'node:crypto';
import { chmod, copyFile, link, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from './process-tree.ts';

/**
 * Where the workspaces are. The service's own data directory is closed to others, and as root the sandbox runs under a
 * uid of its own, which has to get to its workspace; so root has them apart from the data.
 */
export type JobsDirectory = {
  /** Workspace and private /tmp of one run, empty. */
  createJob(id: string): Promise<string>;
  /** Before what a run has left is read or removed: it may have shut us out of its own files. */
  reclaim(directory: string): Promise<void>;
  removeJob(directory: string): Promise<void>;
  /** A copy of our own Node where the sandbox can reach it. */
  nodeDirectory(): Promise<string>;
  close(): Promise<void>;
};

export function defaultJobsRoot(dataDir: string): string {
  if (process.getuid?.() !== 0) return join(dataDir, 'builds');
  return join('/var/tmp', `bottega-${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}`);
}

/** Nothing is made before it is needed: most nodes of a large installation never build. */
export function openJobsDirectory(root: string): JobsDirectory {
  const own = join(root, `${process.pid}-${randomBytes(3).toString('hex')}`);
  let opened: Promise<void> | undefined;
  let node: Promise<string> | undefined;
  return {
    async createJob(id) {
      opened ??= open(root, own);
      await opened;
      const directory = join(own, id);
      await mkdir(directory, { recursive: true });
      await chmod(directory, 0o711);
      for (const name of ['workspace', 'tmp', 'run']) {
        await mkdir(join(directory, name));
        await chmod(join(directory, name), 0o700);
      }
      return directory;
    },
    reclaim: openUp,
    async removeJob(directory) {
      await openUp(directory);
      await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    },
    nodeDirectory: () => {
      node ??= placeNode(root);
      return node;
    },
    async close() {
      if (!opened) return;
      await rm(own, { recursive: true, force: true });
      // The last one out; it stays where others, or our copy of Node, are still in it.
      await rmdir(root).catch(() => undefined);
    },
  };
}

async function open(root: string, own: string): Promise<void> {
  await mkdir(root, { recursive: true });
  // Passed through, never listed.
  await chmod(root, 0o711);
  await removeLeftovers(root);
  await mkdir(own);
  await chmod(own, 0o711);
}

/** What a worker that was killed has left behind. */
async function removeLeftovers(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    const pid = Number(/^(\d+)-[0-9a-f]{6}$/.exec(name)?.[1] ?? Number.NaN);
    if (Number.isInteger(pid) && !isAlive(pid)) await rm(join(root, name), { recursive: true, force: true });
  }
}

async function placeNode(root: string): Promise<string> {
  const directory = join(root, `node-${process.version}`);
  const present = await stat(join(directory, 'node')).catch(() => null);
  if (present) return directory;
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o755);
  const partial = join(directory, `node.${process.pid}`);
  // A link costs nothing; another file system takes a copy.
  await link(process.execPath, partial).catch(async () => {
    await copyFile(process.execPath, partial);
    await chmod(partial, 0o755);
  });
  await rename(partial, join(directory, 'node'));
  return directory;
}

/** Root may read everything; an ordinary user has to be let in by the modes, which are theirs to change. */
async function openUp(directory: string): Promise<void> {
  if (process.getuid?.() === 0) return;
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      await chmod(path, 0o700).catch(() => undefined);
      await openUp(path);
    } else if (entry.isFile()) {
      const { mode } = await stat(path).catch(() => ({ mode: 0o600 }));
      if ((mode & 0o400) === 0) await chmod(path, mode | 0o400).catch(() => undefined);
    }
  }
}
