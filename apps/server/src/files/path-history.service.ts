import type { Queries } from '../db/transaction.ts';
import { inflateObjectAsync } from '../git/objects.ts';
import { findTreeEntry } from '../git/tree-lookup.ts';
import { directoryMode } from '../git/trees.ts';
import { readTrees } from './objects.sql.ts';
import { type CommitRow, listReachable } from './refs.sql.ts';

type Entry = { mode: number; sha: Buffer };

const wholeHistory = 10_000_000;
const batch = 500;

/**
 * The commits after which something else was at a path than before, newest first, as `git log -- path` has them. A
 * merge that took the path from one of its parents is not among them.
 */
export async function commitsTouching(
  db: Queries,
  projectId: string,
  { head, path }: { head: Buffer; path: string },
): Promise<CommitRow[]> {
  const { rows } = await listReachable(db, projectId, { head, limit: wholeHistory, offset: 0 });
  const entries = await entriesAt(db, projectId, { trees: rows.map((row) => row.tree_sha), path });
  const inCommit = new Map(rows.map((row) => [hex(row.sha), entries.get(hex(row.tree_sha)) ?? '']));
  return rows.filter(({ sha, parents }) => {
    const own = inCommit.get(hex(sha)) ?? '';
    const former = parents.map((parent) => inCommit.get(hex(parent)) ?? '');
    return former.length === 0 ? own !== '' : !former.includes(own);
  });
}

/** What is at the path in each of these trees, as one text: a level at a time, each distinct directory read once. */
async function entriesAt(
  db: Queries,
  projectId: string,
  { trees, path }: { trees: Buffer[]; path: string },
): Promise<Map<string, string>> {
  let found = new Map<string, Entry>(trees.map((sha) => [hex(sha), { mode: directoryMode, sha }]));
  for (const name of path.split('/').slice(1)) {
    const directories = [...found.values()].filter(({ mode }) => mode === directoryMode).map(({ sha }) => sha);
    const below = await entriesNamed(db, projectId, { directories, name });
    found = new Map(
      [...found].flatMap(([root, { sha }]): [string, Entry][] => {
        const entry = below.get(hex(sha));
        return entry ? [[root, entry]] : [];
      }),
    );
  }
  return new Map([...found].map(([root, { mode, sha }]) => [root, `${mode} ${hex(sha)}`]));
}

async function entriesNamed(
  db: Queries,
  projectId: string,
  { directories, name }: { directories: Buffer[]; name: string },
): Promise<Map<string, Entry>> {
  const distinct = [...new Map(directories.map((sha) => [hex(sha), sha])).values()];
  const found = new Map<string, Entry>();
  for (let from = 0; from < distinct.length; from += batch) {
    for (const tree of await readTrees(db, projectId, distinct.slice(from, from + batch))) {
      const entry = findTreeEntry(await inflateObjectAsync(tree.deflated, tree.size), name);
      if (entry) found.set(hex(tree.sha), entry);
    }
  }
  return found;
}

const hex = (sha: Buffer): string => sha.toString('hex');
