import { type Budget, createBudget } from '../../foundation/concurrency/budget.ts';
import type { Queries } from '../../foundation/db/transaction.ts';
import { inflateObjectAsync } from '../objects/objects.ts';
import { findTreeEntry } from '../objects/tree-lookup.ts';
import { directoryMode } from '../objects/trees.ts';
import { readObjects } from './objects.sql.ts';
import { listHistory } from './refs.sql.ts';

type Entry = { mode: number; sha: Buffer };

/** Commits, and directories that have to be looked into for them. */
const mostEntries = 500_000;
const longestMs = 15_000;

/**
 * The commits after which something else was at a path than before, newest first, as `git log -- path` has them. A
 * merge that took the path from one of its parents is not among them. Only their ids: messages are for a page of them.
 */
export async function commitsTouching(
  db: Queries,
  projectId: string,
  { head, path }: { head: Buffer; path: string },
): Promise<Buffer[]> {
  const budget = createBudget({
    name: 'history of a path',
    entries: mostEntries,
    ms: longestMs,
    message: 'The history is too long to be searched for one path',
  });
  const rows = await listHistory(db, projectId, head, mostEntries + 1);
  budget.spend({ entries: rows.length });
  const trees = rows.map((row) => row.tree_sha);
  const entries = await entriesAt(db, projectId, { trees, path, budget });
  const inCommit = new Map(rows.map((row) => [hex(row.sha), entries.get(hex(row.tree_sha)) ?? '']));
  const touching: Buffer[] = [];
  for (const { sha, parents } of rows) {
    await budget.breathe();
    const own = inCommit.get(hex(sha)) ?? '';
    const former = parents.map((parent) => inCommit.get(hex(parent)) ?? '');
    if (former.length === 0 ? own !== '' : !former.includes(own)) touching.push(sha);
  }
  return touching;
}

/** What is at the path in each of these trees, as one text: a level at a time, each distinct directory read once. */
async function entriesAt(
  db: Queries,
  projectId: string,
  { trees, path, budget }: { trees: Buffer[]; path: string; budget: Budget },
): Promise<Map<string, string>> {
  let found = new Map<string, Entry>(trees.map((sha) => [hex(sha), { mode: directoryMode, sha }]));
  for (const name of path.split('/').slice(1)) {
    const directories = [...found.values()].filter(({ mode }) => mode === directoryMode).map(({ sha }) => sha);
    const below = await entriesNamed(db, projectId, { directories, name, budget });
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
  { directories, name, budget }: { directories: Buffer[]; name: string; budget: Budget },
): Promise<Map<string, Entry>> {
  const found = new Map<string, Entry>();
  for await (const { sha, size, deflated } of readObjects(db, projectId, directories, { type: 'tree' })) {
    budget.spend({ entries: 1 });
    await budget.breathe();
    const entry = findTreeEntry(await inflateObjectAsync(deflated, size), name);
    // A copy, so that the tree that it is a piece of can go.
    if (entry) found.set(hex(sha), { mode: entry.mode, sha: Buffer.from(entry.sha) });
  }
  return found;
}

const hex = (sha: Buffer): string => sha.toString('hex');
