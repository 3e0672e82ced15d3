import { createHash, randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkOut, defaultJobsRoot, giveTo, removeTree, SandboxError } from '../../deployments/index.ts';
import { keyedQueue } from '../../foundation/concurrency/keyed-queue.ts';
import type { Config } from '../../foundation/config/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import { dropGitLayers } from './git-layer.ts';

/**
 * The files of workspaces on a worker's disk: `{project}/trees/{tree}` is a commit's files and `{project}/layers/{layer}`
 * are files that git ignores, which all workspaces of the project share and none changes; `{project}/workspaces/{id}` has
 * a workspace's own changes. As root, each project has
 * its own uid, because a workspace can only change files of its own uid.
 */
export type WorkspaceDisk = {
  /** Names this disk in the database. It stays the same as long as the disk does. */
  home(): Promise<string>;
  /** The directory of a workspace; `isNew` if it had none here. */
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
};

/** Other services may use the same directory for builds, and must not take our workspaces for their own. */
export function workspacesRoot({ dataDir, builds }: Pick<Config, 'dataDir' | 'builds'>): string {
  const service = createHash('sha256').update(dataDir).digest('hex').slice(0, 8);
  return join(builds.directory ?? defaultJobsRoot(dataDir), `workspaces-${service}`);
}

/** The language servers of this machine, outside the data directory for the same reason. Null if they are off. */
export function languagesRoot({ dataDir, builds, workspaces }: Pick<Config, 'dataDir' | 'builds' | 'workspaces'>) {
  const { languageServers } = workspaces;
  if (languageServers === 'off') return null;
  return languageServers ?? join(builds.directory ?? defaultJobsRoot(dataDir), 'language-servers');
}

const firstUid = 61_200;
const uids = 2_000;
const removalMs = 600_000;
/** Number of trees, and of layers, that are kept although no workspace uses them. */
const kept = 3;

/** `discard` deletes what is elsewhere of the workspace with this directory. */
export function openWorkspaceDisk(root: string, discard: (directory: string) => Promise<void>): WorkspaceDisk {
  const turn = keyedQueue();
  const isRoot = process.getuid?.() === 0;
  const projectPath = (projectId: string) => join(root, projectId);

  /** Opens the project's directory. Its owner is the uid of the project's workspaces. */
  async function openProject(projectId: string): Promise<number> {
    const directory = projectPath(projectId);
    return turn('projects', async () => {
      await makePassable(root);
      const known = await stat(directory).catch(() => null);
      if (known && (!isRoot || known.uid !== 0)) return known.uid;
      const uid = isRoot ? await freeUid(root) : (process.getuid?.() ?? 0);
      await makePassable(directory);
      for (const name of ['trees', 'workspaces']) await makePassable(join(directory, name));
      if (isRoot) await chown(directory, uid, uid);
      return uid;
    });
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
    async open(projectId, id) {
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
    },
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
      await dropAllUnused(projectPath(projectId));
    },
    list: () => listWorkspaces(root),
  };
}

async function listWorkspaces(root: string): Promise<{ projectId: string; id: string }[]> {
  const projects = (await readdir(root).catch(() => [])).filter((name) => name.startsWith('prj_'));
  const found = await Promise.all(
    projects.map(async (projectId) => {
      const ids = await readdir(join(root, projectId, 'workspaces')).catch(() => []);
      return ids.map((id) => ({ projectId, id }));
    }),
  );
  return found.flat();
}

/** The directory appears when it is complete. */
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

/** Other users can pass through but not list it. */
async function makePassable(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o711);
}

async function freeUid(root: string): Promise<number> {
  const names = await readdir(root);
  const taken = new Set(await Promise.all(names.map(async (name) => (await stat(join(root, name))).uid)));
  for (let uid = firstUid; uid < firstUid + uids; uid++) if (!taken.has(uid)) return uid;
  throw new SandboxError(`One worker can isolate the workspaces of at most ${uids} projects`);
}

/** A workspace notes in its directory what it is built on. */
type Built = 'trees' | 'layers';
const noteFiles = { trees: 'tree', layers: 'layer' };
const nothing = 'empty';

const noted = async (directory: string, what: Built): Promise<string> =>
  readFile(join(directory, noteFiles[what]), 'utf8').catch(() => '');

export const noteTree = (directory: string, tree: Buffer | null): Promise<void> =>
  writeFile(join(directory, noteFiles.trees), tree?.toString('hex') ?? nothing);

export async function readTree(directory: string): Promise<Buffer | null> {
  const text = await noted(directory, 'trees');
  return text === nothing || text === '' ? null : Buffer.from(text, 'hex');
}

export const noteLayer = (directory: string, id: string | null): Promise<void> =>
  writeFile(join(directory, noteFiles.layers), id ?? nothing);

export async function readLayer(directory: string): Promise<string | null> {
  const text = await noted(directory, 'layers');
  return text === nothing || text === '' ? null : text;
}

async function dropAllUnused(project: string): Promise<void> {
  for (const what of ['trees', 'layers'] as const) await dropUnused(project, what);
  await dropGitLayers(project);
}

/** Removes trees or layers that no workspace of the project needs, except for the latest. */
async function dropUnused(project: string, what: Built): Promise<void> {
  const ids = await readdir(join(project, 'workspaces')).catch(() => []);
  const used = new Set(await Promise.all(ids.map((id) => noted(join(project, 'workspaces', id), what))));
  const all = await readdir(join(project, what)).catch(() => []);
  const aged = await Promise.all(
    all
      .filter((name) => !used.has(name))
      .map(async (name) => ({ name, at: (await stat(join(project, what, name))).mtimeMs })),
  );
  const old = aged.sort((a, b) => b.at - a.at).slice(ids.length === 0 ? 0 : kept);
  for (const { name } of old) await removeTree(join(project, what, name), { ms: removalMs });
}
