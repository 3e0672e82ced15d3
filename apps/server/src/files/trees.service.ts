import type { Queries } from '../db/transaction.ts';
import { inflateObjectAsync } from '../git/objects.ts';
import { decodeTree, type TreeEntry } from '../git/trees.ts';
import { type ObjectInfo, objectInfos, readTrees } from './objects.sql.ts';

export type TreeFile = { path: string; mode: number; sha: Buffer };
export type TreeListing = { files: TreeFile[]; directories: { path: string; sha: Buffer }[] };

const directoryMode = 0o40000;
export const isRegular = (mode: number): boolean => mode === 0o100644 || mode === 0o100755;

/** Everything below a tree, level by level: one query for each level, not for each directory. */
export async function walkTree(
  db: Queries,
  projectId: string,
  { tree, path, recursive }: { tree: Buffer; path: string; recursive: boolean },
): Promise<TreeListing> {
  const found: TreeListing = { files: [], directories: [] };
  let level = [{ path, sha: tree }];
  while (level.length > 0) {
    const trees = await entriesOf(
      db,
      projectId,
      level.map((one) => one.sha),
    );
    const next: typeof level = [];
    for (const directory of level) {
      for (const { mode, name, sha } of trees.get(directory.sha.toString('hex')) ?? []) {
        const place = `${directory.path}/${name}`;
        if (isRegular(mode)) found.files.push({ path: place, mode, sha });
        if (mode === directoryMode) next.push({ path: place, sha });
      }
    }
    found.directories.push(...next);
    level = recursive ? next : [];
  }
  return found;
}

/** The entry at a path, or undefined. */
export async function entryAt(
  db: Queries,
  projectId: string,
  { tree, path }: { tree: Buffer; path: string },
): Promise<{ mode: number; sha: Buffer } | undefined> {
  let at = { mode: directoryMode, sha: tree };
  for (const name of path.split('/').slice(1)) {
    if (at.mode !== directoryMode) return undefined;
    const entries = (await entriesOf(db, projectId, [at.sha])).get(at.sha.toString('hex'));
    const entry = entries?.find((one) => one.name === name);
    if (!entry) return undefined;
    at = entry;
  }
  return at;
}

export async function entriesOf(db: Queries, projectId: string, shas: Buffer[]): Promise<Map<string, TreeEntry[]>> {
  const trees = new Map<string, TreeEntry[]>();
  for (const { sha, size, deflated } of await readTrees(db, projectId, shas)) {
    trees.set(sha.toString('hex'), decodeTree(await inflateObjectAsync(deflated, size)));
  }
  return trees;
}

export async function infoOf(db: Queries, projectId: string, shas: Buffer[]): Promise<Map<string, ObjectInfo>> {
  const infos = await objectInfos(db, projectId, shas);
  return new Map(infos.map((info) => [info.sha.toString('hex'), info]));
}
