import { createHash, randomBytes } from 'node:crypto';
import { chmod, copyFile, link, mkdir, readdir, rename, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../../foundation/processes/is-alive.ts';
import { removeTree } from './remove-tree.ts';

/**
 * Where the workspaces are. The service's own data directory is closed to others, and as root the sandbox runs under a
 * uid of its own, which has to get to its workspace; so root has them apart from the data.
 */
export type JobsDirectory = {
  /** Workspace and private /tmp of one run, empty. */
  createJob(id: string): Promise<string>;
  /** Never rejects: what cannot be removed is set aside and told, and nobody else has to do with it. */
  removeJob(directory: string): Promise<void>;
  /** A copy of our own Node where the sandbox can reach it. */
  nodeDirectory(): Promise<string>;
  /** How many were set aside since the start. */
  setAside(): number;
  close(): Promise<void>;
};

/** A build may leave a million files, and the machine may have better things to do. */
const removalMs = 600_000;
/** What is still there then is found by the next start. */
const closingMs = 5_000;
const asideName = 'set-aside';

export function defaultJobsRoot(dataDir: string): string {
  if (process.getuid?.() !== 0) return join(dataDir, 'builds');
  return join('/var/tmp', `bottega-${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}`);
}

/** Nothing is made before it is needed: most nodes of a large installation never build. */
export function openJobsDirectory(
  root: string,
  onSetAside: (path: string, reason: string) => void = () => undefined,
): JobsDirectory {
  const own = join(root, `${process.pid}-${random()}`);
  const closing = new AbortController();
  let opened: Promise<void> | undefined;
  let sweeping: Promise<void> = Promise.resolve();
  let node: Promise<string> | undefined;
  let setAside = 0;

  async function open(): Promise<void> {
    await makePassable(root);
    await makePassable(own);
    // In the background: whatever others have left, the first build does not wait for it.
    sweeping = sweep().catch((error: Error) => onSetAside(root, error.message));
  }

  async function remove(directory: string, signal?: AbortSignal): Promise<void> {
    const reason = await removeTree(directory, { ms: removalMs, ...(signal && { signal }) });
    if (reason === null || signal?.aborted) return;
    const aside = join(root, asideName, `${Date.now()}-${random()}`);
    await mkdir(join(root, asideName), { recursive: true, mode: 0o700 }).catch(() => undefined);
    const isMoved = await rename(directory, aside).then(
      () => true,
      () => false,
    );
    setAside++;
    onSetAside(isMoved ? aside : directory, reason);
  }

  /** What a worker that was killed has left behind, and once more what was set aside. */
  async function sweep(): Promise<void> {
    const names = (await readdir(root)).filter(isOfTheDead);
    const aside = await readdir(join(root, asideName)).catch(() => []);
    for (const name of [...names, ...aside.map((one) => join(asideName, one))]) {
      if (closing.signal.aborted) return;
      // Only one of several workers gets it.
      const taken = join(own, `leftover-${random()}`);
      const isTaken = await rename(join(root, name), taken).then(
        () => true,
        () => false,
      );
      if (isTaken) await remove(taken, closing.signal);
    }
  }

  return {
    async createJob(id) {
      opened ??= open().catch((error: unknown) => {
        // A disk that was full for a moment must not stay so for all builds to come.
        opened = undefined;
        throw error;
      });
      await opened;
      const directory = join(own, `${id}-${random()}`);
      await makePassable(directory);
      for (const name of ['workspace', 'tmp', 'run']) {
        await mkdir(join(directory, name));
        await chmod(join(directory, name), 0o700);
      }
      return directory;
    },
    removeJob: (directory) => remove(directory),
    nodeDirectory: () => {
      node ??= placeNode(root);
      return node;
    },
    setAside: () => setAside,
    async close() {
      if (!opened) return;
      await opened;
      closing.abort();
      await sweeping;
      await removeTree(own, { ms: closingMs });
      // The last one out; it stays where others, or our copy of Node, are still in it.
      await rmdir(root).catch(() => undefined);
    },
  };
}

const random = (): string => randomBytes(3).toString('hex');

/** Passed through by others, never listed. */
async function makePassable(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
    await chmod(directory, 0o711);
  } catch (error) {
    // On a disk that is mounted for reading, Node says that there is no such directory.
    const reason = (error as Error).message;
    throw new Error(`BOTTEGA_BUILD_DIR must be a writable directory: ${reason}`, { cause: error });
  }
}

function isOfTheDead(name: string): boolean {
  const pid = Number(/^(\d+)-[0-9a-f]{6}$/.exec(name)?.[1] ?? Number.NaN);
  return Number.isInteger(pid) && !isAlive(pid);
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
