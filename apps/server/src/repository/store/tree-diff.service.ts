import type { Budget } from '../../foundation/concurrency/budget.ts';
import { sortByPath } from '../../foundation/concurrency/sort-by-path.ts';
import type { Queries } from '../../foundation/db/index.ts';
import { directoryMode, type TreeEntry } from '../objects/trees.ts';
import { entriesOf, mustNotBeDeeper, treeBudget } from './trees.service.ts';

export type FileDifference = { path: string; before: TreeEntry | null; after: TreeEntry | null };

/** The tree is null if the directory did not exist before, or does not exist after the change. */
export type DirectoryDifference = { path: string; before: Buffer | null; after: Buffer | null };
export type TreeDifference = { files: FileDifference[]; directories: DirectoryDifference[] };

/**
 * The differences between two trees. It descends only into directories with different ids, one level at a time. So the
 * cost depends on the size of the change and not on that of the project.
 */
export async function diffTrees(
  db: Queries,
  projectId: string,
  before: Buffer | null,
  after: Buffer | null,
  budget = treeBudget(),
): Promise<TreeDifference> {
  const files: FileDifference[] = [];
  const directories: DirectoryDifference[] = [];
  const same = before && after ? before.equals(after) : before === after;
  let level: DirectoryDifference[] = same ? [] : [{ path: '', before, after }];
  for (let depth = 1; level.length > 0; depth++) {
    mustNotBeDeeper(depth);
    const shas = level.flatMap((pair) => [pair.before, pair.after]).filter((sha) => sha !== null);
    const trees = await entriesOf(db, projectId, shas, budget);
    const entries = (sha: Buffer | null) => (sha && trees.get(sha.toString('hex'))) || [];
    const next: DirectoryDifference[] = [];
    for (const pair of level) {
      directories.push(pair);
      for await (const { path, before: old, after: now } of differentNames(
        pair.path,
        entries(pair.before),
        entries(pair.after),
        budget,
      )) {
        const directory = { path, before: directorySha(old), after: directorySha(now) };
        if (directory.before || directory.after) next.push(directory);
        const file = { path, before: fileEntry(old), after: fileEntry(now) };
        if (file.before || file.after) files.push(file);
      }
    }
    level = next;
  }
  return { files: await sortByPath(files, budget), directories };
}

const isDirectory = (entry: TreeEntry | null): boolean => entry?.mode === directoryMode;
const directorySha = (entry: TreeEntry | null): Buffer | null => (isDirectory(entry) ? (entry?.sha ?? null) : null);
const fileEntry = (entry: TreeEntry | null): TreeEntry | null => (isDirectory(entry) ? null : entry);

async function* differentNames(
  path: string,
  before: TreeEntry[],
  after: TreeEntry[],
  budget: Budget,
): AsyncGenerator<FileDifference> {
  const old = new Map(before.map((entry) => [entry.name, entry]));
  const now = new Map(after.map((entry) => [entry.name, entry]));
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    budget.spend({ entries: 1, bytes: path.length + name.length });
    await budget.maybeYield();
    const [one, other] = [old.get(name) ?? null, now.get(name) ?? null];
    if (one && other && one.mode === other.mode && one.sha.equals(other.sha)) continue;
    yield { path: `${path}/${name}`, before: one, after: other };
  }
}
