import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkOut, defaultJobsRoot, giveTo, removeTree } from '../../deployments/index.ts';
import { keyedQueue } from '../../foundation/concurrency/keyed-queue.ts';
import type { Config } from '../../foundation/config/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import { dropUnused } from './built-on.ts';
import { isProject, makePassable, openProjectDirectories } from './project-directories.ts';

/**
 * The files of workspaces on a worker's disk. `{project}/trees/{tree}` has the files of a commit, and
 * `{project}/layers/{layer}` has files that git ignores. All workspaces of the project share both, and none changes
 * them. `{project}/workspaces/{id}` has the changes of one workspace. If the service runs as root, each project has its
 * own uid, so that a workspace can change only files of its own project.
 */
export type WorkspaceDisk = {
  /** The name of this disk in the database. It stays the same as long as the disk exists. */
  home(): Promise<string>;
  /** The directory of a workspace. `isNew` is true if the workspace had none on this disk. */
  open(projectId: string, id: string): Promise<{ directory: string; isNew: boolean }>;
  /** An empty directory. */
  empty(projectId: string): Promise<string>;
  /** The directory with the tree's files. */
  tree(db: Db, projectId: string, tree: Buffer): Promise<string>;
  /** The directory with a layer's files. If this disk does not have it yet, `fill` unpacks it into a job's directory. */
  layer(projectId: string, id: string, fill: (directory: string) => Promise<void>): Promise<string>;
  remove(projectId: string, id: string): Promise<void>;
  /** All workspaces that have files here. */
  list(): Promise<{ projectId: string; id: string }[]>;
  /** Removes the directories of projects that have had no workspace on this disk for an hour. */
  tidy(): Promise<void>;
};

/**
 * The directory of this service's workspaces. Its name contains a hash, because several services may use the same
 * directory for builds, and none of them must take the workspaces of another one for its own.
 */
export function workspacesRoot({ dataDir, builds }: Pick<Config, 'dataDir' | 'builds'>): string {
  const service = createHash('sha256').update(dataDir).digest('hex').slice(0, 8);
  return join(builds.directory ?? defaultJobsRoot(dataDir), `workspaces-${service}`);
}

/**
 * The directory of this machine's language servers. Like the workspaces, it is outside the data directory. Null if
 * language servers are turned off.
 */
export function languagesRoot({ dataDir, builds, workspaces }: Pick<Config, 'dataDir' | 'builds' | 'workspaces'>) {
  const { languageServers } = workspaces;
  if (languageServers === 'off') return null;
  return languageServers ?? join(builds.directory ?? defaultJobsRoot(dataDir), 'language-servers');
}

const removalMs = 600_000;

/** `discard` deletes what a workspace has outside its directory. */
export function openWorkspaceDisk(root: string, discard: (directory: string) => Promise<void>): WorkspaceDisk {
  const turn = keyedQueue();
  const isRoot = process.getuid?.() === 0;
  const projects = openProjectDirectories(root);
  const { pathOf: projectPath, open: openProject } = projects;

  async function openWorkspace(projectId: string, id: string): Promise<{ directory: string; isNew: boolean }> {
    const uid = await openProject(projectId);
    const directory = join(projectPath(projectId), 'workspaces', id);
    if (await stat(join(directory, 'ready')).catch(() => null)) return { directory, isNew: false };
    await removeTree(directory, { ms: removalMs });
    await makePassable(directory);
    for (const name of ['workspace', 'work', 'merged', 'tmp', 'run']) {
      await mkdir(join(directory, name), { mode: 0o700 });
      if (name !== 'run') await give(uid, join(directory, name));
    }
    await writeFile(join(directory, 'ready'), '');
    return { directory, isNew: true };
  }

  async function give(uid: number, directory: string): Promise<void> {
    if (isRoot) await giveTo(uid, directory);
  }

  return {
    home: () =>
      turn('home', async () => {
        await makePassable(root);
        const file = join(root, 'home');
        const known = await readFile(file, 'utf8').catch(() => '');
        if (known !== '') return known;
        const name = randomBytes(12).toString('hex');
        await writeFile(file, name, { mode: 0o600 });
        return name;
      }),
    open: (projectId, id) => projects.keeping(projectId, () => openWorkspace(projectId, id)),
    async empty(projectId) {
      await openProject(projectId);
      const directory = join(projectPath(projectId), 'trees', 'empty');
      await mkdir(directory, { recursive: true, mode: 0o755 });
      return directory;
    },
    async tree(db, projectId, tree) {
      const uid = await openProject(projectId);
      const directory = join(projectPath(projectId), 'trees', tree.toString('hex'));
      await turn(directory, () =>
        fillOnce(directory, async (partial) => {
          await mkdir(partial, { mode: 0o755 });
          await checkOut(db, projectId, tree, partial);
          await give(uid, partial);
        }),
      );
      return directory;
    },
    async layer(projectId, id, fill) {
      const uid = await openProject(projectId);
      const directory = join(projectPath(projectId), 'layers', id);
      await makePassable(dirname(directory));
      await turn(directory, () =>
        fillOnce(directory, async (partial) => {
          await makePassable(partial);
          for (const name of ['workspace', 'tmp']) {
            await mkdir(join(partial, name), { mode: 0o700 });
            await give(uid, join(partial, name));
          }
          await fill(partial);
        }),
      );
      return join(directory, 'workspace');
    },
    async remove(projectId, id) {
      const directory = join(projectPath(projectId), 'workspaces', id);
      await discard(directory);
      await removeTree(directory, { ms: removalMs });
      await dropUnused(projectPath(projectId));
    },
    tidy: projects.tidy,
    list: () => listWorkspaces(root),
  };
}

async function listWorkspaces(root: string): Promise<{ projectId: string; id: string }[]> {
  const projects = (await readdir(root).catch(() => [])).filter(isProject);
  const found = await Promise.all(
    projects.map(async (projectId) => {
      const ids = await readdir(join(root, projectId, 'workspaces')).catch(() => []);
      return ids.map((id) => ({ projectId, id }));
    }),
  );
  return found.flat();
}

/** Fills a directory unless it exists. It appears under its name only when it is complete. */
async function fillOnce(directory: string, fill: (partial: string) => Promise<void>): Promise<void> {
  if (await stat(directory).catch(() => null)) return;
  const partial = join(dirname(directory), `partial-${randomBytes(6).toString('hex')}`);
  try {
    await fill(partial);
    await rename(partial, directory);
  } catch (error) {
    await removeTree(partial, { ms: removalMs });
    throw error;
  }
}
