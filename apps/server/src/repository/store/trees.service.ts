import { deepestPath } from '@bottega/contract';
import { type Budget, createBudget } from '../../foundation/concurrency/budget.ts';
import type { Queries } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { inflateObjectAsync } from '../objects/objects.ts';
import { findTreeEntry } from '../objects/tree-lookup.ts';
import { directoryMode, type TreeEntry, treeEntries } from '../objects/trees.ts';
import { largestCompared } from './head.sql.ts';
import { type ObjectInfo, objectInfos, readObjects } from './objects.service.ts';
import { treeContents } from './tree-contents.ts';

export type TreeFile = { path: string; mode: number; sha: Buffer };
export type TreeListing = { files: TreeFile[]; directories: { path: string; sha: Buffer }[] };

export const isRegular = (mode: number): boolean => mode === 0o100644 || mode === 0o100755;

/**
 * Maximum number of entries of a walk. An entry counts once when it is read and once at each of its paths. So a project
 * may have about 200,000 entries.
 */
const maxEntries = 400_000;
/** Maximum number of bytes of all paths. The same stored directory has longer paths at deeper levels. */
const maxPathBytes = 64 * 1_048_576;
const longestMs = 20_000;

/**
 * The budget of one walk. The same directory may appear at thousands of paths, each below another such directory. So a
 * few kilobytes can describe more files than fit into memory.
 */
export const treeBudget = (): Budget =>
  createBudget({
    name: 'tree walk',
    entries: maxEntries,
    bytes: maxPathBytes,
    ms: longestMs,
    message: 'There are too many files and directories for one request',
  });

/** Throws if a walk is too deep. Called before a path is built. */
export function mustNotBeDeeper(level: number): void {
  if (level > deepestPath) throw new AppError('VALIDATION_ERROR', `Paths must be at most ${deepestPath} levels deep`);
}

/** Everything below a tree, level by level, with one query per level instead of one per directory. */
export async function walkTree(
  db: Queries,
  projectId: string,
  { tree, path, recursive }: { tree: Buffer; path: string; recursive: boolean },
  budget = treeBudget(),
): Promise<TreeListing> {
  const listing: TreeListing = { files: [], directories: [] };
  let level = [{ path, sha: tree }];
  for (let depth = path.split('/').length; level.length > 0; depth++) {
    mustNotBeDeeper(depth);
    const shas = level.map((one) => one.sha);
    const trees = await entriesOf(db, projectId, shas, budget);
    const next: typeof level = [];
    for (const directory of level) {
      for (const { mode, name, sha } of trees.get(directory.sha.toString('hex')) ?? []) {
        const place = `${directory.path}/${name}`;
        budget.spend({ entries: 1, bytes: place.length });
        await budget.maybeYield();
        if (isRegular(mode)) listing.files.push({ path: place, mode, sha });
        if (mode === directoryMode) next.push({ path: place, sha });
      }
    }
    for (const directory of next) listing.directories.push(directory);
    level = recursive ? next : [];
  }
  return listing;
}

/** The total size of a tree's files when they are written out. */
export async function measureTree(db: Queries, projectId: string, tree: Buffer): Promise<{ bytes: number }> {
  const { files } = await walkTree(db, projectId, { tree, path: '', recursive: true });
  const infos = await infoOf(
    db,
    projectId,
    files.map(({ sha }) => sha),
  );
  return { bytes: files.reduce((sum, { sha }) => sum + (infos.get(sha.toString('hex'))?.size ?? 0), 0) };
}

/** Contents of trees by their ids in hex. The caller limits how many. */
export async function readTrees(db: Queries, projectId: string, shas: Buffer[]): Promise<Map<string, Buffer>> {
  const trees = new Map<string, Buffer>();
  for await (const [hex, tree] of treeContents(db, projectId, shas)) trees.set(hex, tree);
  return trees;
}

export async function entryAt(
  db: Queries,
  projectId: string,
  { tree, path }: { tree: Buffer; path: string },
): Promise<{ mode: number; sha: Buffer } | undefined> {
  let at = { mode: directoryMode, sha: tree };
  for (const name of path.split('/').slice(1)) {
    if (at.mode !== directoryMode) return undefined;
    let entry: typeof at | undefined;
    for await (const [, tree] of treeContents(db, projectId, [at.sha])) entry = findTreeEntry(tree, name);
    if (!entry) return undefined;
    at = entry;
  }
  return at;
}

export async function entriesOf(
  db: Queries,
  projectId: string,
  shas: Buffer[],
  budget: Budget,
): Promise<Map<string, TreeEntry[]>> {
  const trees = new Map<string, TreeEntry[]>();
  for await (const [hex, tree] of treeContents(db, projectId, shas)) {
    const entries: TreeEntry[] = [];
    for (const entry of treeEntries(tree)) {
      budget.spend({ entries: 1 });
      await budget.maybeYield();
      entries.push(entry);
    }
    trees.set(hex, entries);
  }
  return trees;
}

export async function infoOf(db: Queries, projectId: string, shas: Buffer[]): Promise<Map<string, ObjectInfo>> {
  const distinct = [...new Map(shas.map((sha) => [sha.toString('hex'), sha])).values()];
  const infos = await objectInfos(db, projectId, distinct);
  return new Map(infos.map((info) => [info.sha.toString('hex'), info]));
}

/**
 * Contents by their ids in hex, if they are small enough to compare. All are loaded together, so the caller must limit
 * their number.
 */
export async function readBlobs(db: Queries, projectId: string, shas: Buffer[]): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  const wanted = { type: 'blob', largest: largestCompared } as const;
  for await (const { sha, size, deflated } of readObjects(db, projectId, shas, wanted)) {
    contents.set(sha.toString('hex'), await inflateObjectAsync(deflated, size));
  }
  return contents;
}
