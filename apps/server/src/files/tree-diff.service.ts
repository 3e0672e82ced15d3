import type { Queries } from '../db/transaction.ts';
import { directoryMode, type TreeEntry } from '../git/trees.ts';
import { entriesOf } from './trees.service.ts';

export type FileDifference = { path: string; before: TreeEntry | null; after: TreeEntry | null };

/** Null: it was not there, or is no more. */
export type DirectoryDifference = { path: string; before: Buffer | null; after: Buffer | null };
export type TreeDifference = { files: FileDifference[]; directories: DirectoryDifference[] };

/**
 * What differs between two trees. Goes down only where the ids of two directories differ, a level at a time, so the
 * cost follows the size of the change and not that of the project.
 */
export async function diffTrees(
  db: Queries,
  projectId: string,
  before: Buffer | null,
  after: Buffer | null,
): Promise<TreeDifference> {
  const files: FileDifference[] = [];
  const directories: DirectoryDifference[] = [];
  const same = before && after ? before.equals(after) : before === after;
  let level: DirectoryDifference[] = same ? [] : [{ path: '', before, after }];
  while (level.length > 0) {
    directories.push(...level);
    const shas = level.flatMap((pair) => [pair.before, pair.after]).filter((sha) => sha !== null);
    const trees = await entriesOf(db, projectId, shas);
    const entries = (sha: Buffer | null) => (sha && trees.get(sha.toString('hex'))) || [];
    const next: DirectoryDifference[] = [];
    for (const pair of level) {
      for (const { path, before: old, after: now } of differentNames(
        pair.path,
        entries(pair.before),
        entries(pair.after),
      )) {
        const directory = { path, before: directorySha(old), after: directorySha(now) };
        if (directory.before || directory.after) next.push(directory);
        const file = { path, before: fileEntry(old), after: fileEntry(now) };
        if (file.before || file.after) files.push(file);
      }
    }
    level = next;
  }
  return { files: files.sort((one, other) => (one.path < other.path ? -1 : 1)), directories };
}

const isDirectory = (entry: TreeEntry | null): boolean => entry?.mode === directoryMode;
const directorySha = (entry: TreeEntry | null): Buffer | null => (isDirectory(entry) ? (entry?.sha ?? null) : null);
const fileEntry = (entry: TreeEntry | null): TreeEntry | null => (isDirectory(entry) ? null : entry);

function differentNames(path: string, before: TreeEntry[], after: TreeEntry[]): FileDifference[] {
  const old = new Map(before.map((entry) => [entry.name, entry]));
  const now = new Map(after.map((entry) => [entry.name, entry]));
  const names = new Set([...old.keys(), ...now.keys()]);
  return [...names]
    .map((name) => ({ path: `${path}/${name}`, before: old.get(name) ?? null, after: now.get(name) ?? null }))
    .filter(({ before: one, after: other }) => !(one && other && one.mode === other.mode && one.sha.equals(other.sha)));
}
