import { randomBytes } from 'node:crypto';
import { chown, copyFile, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { giveTo, removeTree } from '../../deployments/index.ts';
import { keyedQueue } from '../../foundation/concurrency/keyed-queue.ts';
import type { Db } from '../../foundation/db/index.ts';
import { askGit, type GitCaches, type GitProgram } from '../../repository/cache/index.ts';
import { branchPrefix, type HeadAt } from '../../repository/objects/ref-names.ts';
import { findTip } from '../../repository/store/index.ts';
import { parseTree, writeIndex } from './git-index.ts';
import { seedBranch } from './git-seed.ts';

/** What `.git` is made from: parts of the repository slice. */
export type GitSource = { db: Db; git: GitProgram; caches: GitCaches };

type Wanted = {
  at: HeadAt;
  /** The workspace's directory on this worker. */
  directory: string;
  /** The tree that the disk is built on, and the directory with that tree's files, which may still be being written. */
  tree: Buffer | null;
  files: Promise<string>;
};

const turn = keyedQueue();
const noCommit = 'none';
const longestListing = 128 * 2 ** 20;
const maxAttempts = 3;
const keptLayers = 3;
const removalMs = 600_000;
const noteFile = (directory: string): string => join(directory, 'git');

/** The layer with the repository of a workspace that was started before. Null if the workspace has no repository. */
export async function gitLayerOf(directory: string): Promise<string | null> {
  const name = await readFile(noteFile(directory), 'utf8').catch(() => '');
  const layer = join(layersOf(directory), name);
  return name !== '' && (await stat(layer).catch(() => null)) ? layer : null;
}

/** A workspace's directory is `{project}/workspaces/{id}`. */
const layersOf = (directory: string): string => join(dirname(dirname(directory)), 'git');

/**
 * Makes the repository of a new workspace, and returns its layer. All workspaces with the same commit share the layer,
 * and none changes it: it has the objects, the remote branches and the index. The rest is a few small files of the
 * workspace itself, in which no program has run yet.
 */
export async function createGitLayer(source: GitSource, wanted: Wanted): Promise<string> {
  const { at, directory } = wanted;
  const tip = await findTip(source.db, at.projectId, at.branch);
  const name = tip?.sha.toString('hex') ?? noCommit;
  const layer = join(layersOf(directory), name);
  try {
    await seedBranch(directory, at.branch, tip?.sha ?? null);
    // The note is written before the layer exists, so that the layer is never taken for an unused one.
    await writeFile(noteFile(directory), name);
    await turn(layer, async () => {
      if (await stat(layer).catch(() => null)) return;
      const files = tip && wanted.tree?.equals(tip.tree_sha) ? wanted.files : null;
      await makeLayer(source, { ...wanted, layer, tree: tip?.tree_sha ?? null, files });
    });
  } catch (error) {
    for (const path of [noteFile(directory), join(directory, 'workspace/.git')]) {
      await rm(path, { recursive: true, force: true });
    }
    throw error;
  }
  return layer;
}

type Making = Omit<Wanted, 'files'> & { layer: string; files: Promise<string> | null };

async function makeLayer({ git, caches }: GitSource, { at, layer, tree, files }: Making): Promise<void> {
  const partial = join(dirname(layer), `partial-${randomBytes(6).toString('hex')}`);
  const inside = join(partial, '.git');
  await mkdir(dirname(layer), { recursive: true, mode: 0o711 });
  try {
    for (const place of ['objects/info', 'refs/heads', 'refs/tags', 'refs/remotes', 'info']) {
      await mkdir(join(inside, place), { recursive: true });
    }
    await writeFile(join(inside, 'info/exclude'), '/.bottega-*\nnode_modules/\n');
    await caches.withCache(at.projectId, async (cache) => {
      await linkPacks(join(cache, 'objects/pack'), join(inside, 'objects/pack'));
      const refs = await readFile(join(cache, 'packed-refs'), 'utf8').catch(() => '');
      await writeFile(join(inside, 'packed-refs'), asRemote(refs));
      if (tree === null) return;
      const args = [`--git-dir=${cache}`, 'ls-tree', '-r', '-z', tree.toString('hex')];
      const entries = parseTree(await askGit(git, args, { maxBytes: longestListing }));
      await writeFile(join(inside, 'index'), await writeIndex(entries, (await files) ?? '/dev/null'));
    });
    await give(partial, await stat(dirname(dirname(layer))));
    await rename(partial, layer);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Links the cache's packs into the layer. They can be shared, because packs never change. If the cache removes a pack
 * later, the layer still has it.
 */
async function linkPacks(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await mkdir(to);
      const names = (await readdir(from)).filter((name) => /^pack-[0-9a-f]+\.(pack|idx)$/.test(name));
      for (const name of names) await linkOrCopy(join(from, name), join(to, name));
      return;
    } catch (error) {
      // A file is missing, because the cache was repacked meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === maxAttempts) throw error;
      await rm(to, { recursive: true, force: true });
    }
  }
}

const linkOrCopy = (from: string, to: string): Promise<void> =>
  link(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw error;
    return copyFile(from, to);
  });

/** Renames the service's branches to remote branches of `origin`. */
const asRemote = (refs: string): string => refs.replaceAll(` ${branchPrefix}`, ' refs/remotes/origin/');

/**
 * Gives the files to the workspace's uid, except for the packs: they are hard links to the cache's files, so the
 * service must keep them.
 */
async function give(partial: string, { uid }: { uid: number }): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const packs = join(partial, '.git/objects/pack');
  const aside = `${partial}-packs`;
  await rename(packs, aside);
  await giveTo(uid, partial);
  await chown(aside, uid, uid);
  await rename(aside, packs);
}

/** Removes layers that no workspace of the project needs, except for the latest. */
export async function dropGitLayers(project: string): Promise<void> {
  const ids = await readdir(join(project, 'workspaces')).catch(() => []);
  const notes = ids.map((id) => readFile(noteFile(join(project, 'workspaces', id)), 'utf8').catch(() => ''));
  const used = new Set(await Promise.all(notes));
  const names = await readdir(join(project, 'git')).catch(() => []);
  const unused = names.filter((name) => !used.has(name)).map((name) => join(project, 'git', name));
  const aged = await Promise.all(unused.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })));
  // A layer that is being made is among the latest, so it is kept.
  const old = aged.sort((a, b) => b.at - a.at).slice(keptLayers);
  for (const { path } of old) await removeTree(path, { ms: removalMs });
}
