import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree, SandboxError } from '../../deployments/index.ts';
import { keyedQueue } from '../../foundation/concurrency/keyed-queue.ts';

const firstUid = 61_200;
const uids = 2_000;
const removalMs = 600_000;
const keptMs = 3_600_000;

export const isProject = (name: string): boolean => name.startsWith('prj_');

/** The directories of projects on a worker's disk. Each is owned by the uid of the project's workspaces. */
export function openProjectDirectories(root: string) {
  const turn = keyedQueue();
  const isRoot = process.getuid?.() === 0;
  const pathOf = (projectId: string) => join(root, projectId);
  /** The number of workspaces that are being opened, by project. */
  const opening = new Map<string, number>();

  /**
   * Moves the project's directory aside, and thus frees its uid, unless a workspace needs it or needed it lately.
   * Returns the new path, or null if nothing was moved.
   */
  const takeAway = (projectId: string): Promise<string | null> =>
    turn('projects', async () => {
      const workspaces = join(pathOf(projectId), 'workspaces');
      const found = await stat(workspaces).catch(() => null);
      const isUsed = opening.has(projectId) || (await readdir(workspaces).catch(() => [])).length > 0;
      if (isUsed || (found !== null && Date.now() - found.mtimeMs < keptMs)) return null;
      const aside = join(root, `gone-${randomBytes(6).toString('hex')}`);
      await rename(pathOf(projectId), aside);
      return aside;
    });

  return {
    pathOf,
    /** Makes the project's directory if there is none. Returns the uid of the project's workspaces. */
    open: (projectId: string): Promise<number> =>
      turn('projects', async () => {
        const directory = pathOf(projectId);
        await makePassable(root);
        const known = await stat(directory).catch(() => null);
        if (known && (!isRoot || known.uid !== 0)) return known.uid;
        const uid = isRoot ? await freeUid(root) : (process.getuid?.() ?? 0);
        await makePassable(directory);
        for (const name of ['trees', 'workspaces']) await makePassable(join(directory, name));
        if (isRoot) await chown(directory, uid, uid);
        return uid;
      }),
    /** Does the work, and keeps the project's directory until it is done. */
    async keeping<Result>(projectId: string, work: () => Promise<Result>): Promise<Result> {
      opening.set(projectId, (opening.get(projectId) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const others = (opening.get(projectId) ?? 1) - 1;
        if (others > 0) opening.set(projectId, others);
        else opening.delete(projectId);
      }
    },
    /** Removes the directories of projects that have had no workspace on this disk for an hour. */
    async tidy(): Promise<void> {
      const names = await readdir(root).catch(() => []);
      // A worker that stopped early may have left directories that were moved aside.
      const left = names.filter((name) => name.startsWith('gone-')).map((name) => join(root, name));
      for (const path of left) await removeTree(path, { ms: removalMs });
      for (const projectId of names.filter(isProject)) {
        const aside = await takeAway(projectId);
        if (aside !== null) await removeTree(aside, { ms: removalMs });
      }
    },
  };
}

/** Makes a directory that other users can pass through but not list. */
export async function makePassable(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o711);
}

async function freeUid(root: string): Promise<number> {
  const uidOf = (name: string) =>
    stat(join(root, name)).then(
      ({ uid }) => uid,
      () => 0,
    );
  const taken = new Set(await Promise.all((await readdir(root)).map(uidOf)));
  for (let uid = firstUid; uid < firstUid + uids; uid++) if (!taken.has(uid)) return uid;
  throw new SandboxError(`One worker can isolate the workspaces of at most ${uids} projects`);
}
