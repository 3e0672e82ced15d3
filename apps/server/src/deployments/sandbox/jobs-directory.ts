import { createHash, randomBytes } from 'node:crypto';
import { chmod, copyFile, link, mkdir, readdir, rename, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from '../../foundation/concurrency/once.ts';
import { isAlive } from '../../foundation/processes/is-alive.ts';
import { removeTree } from './remove-tree.ts';

/**
 * The directory with the workspaces of jobs. The service's data directory is closed to other users. If the service runs
 * as root, a sandbox has its own uid, which must be able to reach its workspace. So workspaces are outside the data
 * directory.
 */
export type JobsDirectory = {
  /** Creates an empty workspace and private /tmp for one run. */
  createJob(id: string): Promise<string>;
  /** Never rejects. A directory that cannot be removed is set aside and reported, and does not affect other jobs. */
  removeJob(directory: string): Promise<void>;
  /** A directory with a copy of the service's own Node that the sandbox can reach. */
  nodeDirectory(): Promise<string>;
  /** Number of directories set aside since the start. */
  setAside(): number;
  close(): Promise<void>;
};

/** Time limit of a removal. A build may leave a million files, and the machine may be busy. */
const removalMs = 600_000;
/** Time limit of a removal when the service stops. The next start removes the rest. */
const closingMs = 5_000;
const asideName = 'set-aside';

export function defaultJobsRoot(dataDir: string): string {
  if (process.getuid?.() !== 0) return join(dataDir, 'builds');
  return join('/var/tmp', `bottega-${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}`);
}

/**
 * Opens the directory. Nothing is created before it is needed, because most nodes of a large installation never build.
 */
export function openJobsDirectory(
  root: string,
  onSetAside: (path: string, reason: string) => void = () => undefined,
): JobsDirectory {
  const own = join(root, `${process.pid}-${random()}`);
  const closing = new AbortController();
  let opened: Promise<void> | undefined;
  let sweeping: Promise<void> = Promise.resolve();
  let setAside = 0;

  async function open(): Promise<void> {
    await makePassable(root);
    await makePassable(own);
    // Runs in the background, so that the first build does not wait until the leftovers of others are removed.
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

  /** Removes what killed workers left, and tries again to remove directories that were set aside. */
  async function sweep(): Promise<void> {
    const names = (await readdir(root)).filter(isOfTheDead);
    const aside = await readdir(join(root, asideName)).catch(() => []);
    for (const name of [...names, ...aside.map((one) => join(asideName, one))]) {
      if (closing.signal.aborted) return;
      // If several workers try this, only one succeeds.
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
        // A disk that was briefly full must not affect all later builds.
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
    nodeDirectory: once(() => placeNode(root)),
    setAside: () => setAside,
    async close() {
      if (!opened) return;
      await opened;
      closing.abort();
      await sweeping;
      await removeTree(own, { ms: closingMs });
      // The last process removes the directory. This fails while the directory contains those of other processes, or
      // the copy of Node.
      await rmdir(root).catch(() => undefined);
    },
  };
}

const random = (): string => randomBytes(3).toString('hex');

/** Lets other users pass through the directory, but not list it. */
async function makePassable(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
    await chmod(directory, 0o711);
  } catch (error) {
    // On a read-only disk Node reports that the directory does not exist.
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
  // A link needs no space. On another file system, a copy is necessary.
  await link(process.execPath, partial).catch(async () => {
    await copyFile(process.execPath, partial);
    await chmod(partial, 0o755);
  });
  await rename(partial, join(directory, 'node'));
  return directory;
}
