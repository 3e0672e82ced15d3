import { type Budget, createBudget } from '../../foundation/concurrency/budget.ts';
import type { Queries } from '../../foundation/db/index.ts';
import { inflateObjectAsync } from '../objects/objects.ts';
import { findTreeEntry } from '../objects/tree-lookup.ts';
import { directoryMode } from '../objects/trees.ts';
import { historySlices } from './history.service.ts';
import { type HistoryRow, treesOf } from './history.sql.ts';
import { readObjects } from './objects.service.ts';

type Entry = { mode: number; sha: Buffer };

/** Maximum number of commits, and of directories read for them. */
const maxEntries = 500_000;
const longestMs = 15_000;

/**
 * The commits that changed what is at a path, newest first, as in `git log -- path`. A merge that took the path from
 * one of its parents is left out. Returns only the ids of one page. The history is read in slices, and no slice stays
 * in memory.
 */
export async function commitsTouching(
  db: Queries,
  projectId: string,
  { head, path, offset, limit }: { head: Buffer; path: string; offset: number; limit: number },
): Promise<{ shas: Buffer[]; total: number }> {
  const budget = createBudget({
    name: 'history of a path',
    entries: maxEntries,
    ms: longestMs,
    message: 'The history is too long to search for one path',
  });
  const shas: Buffer[] = [];
  let total = 0;
  for await (const { rows, rest } of historySlices(db, projectId, head)) {
    budget.spend({ entries: rows.length });
    const below = await treesOf(db, projectId, rest);
    const trees = [...rows, ...below].map((row) => row.tree_sha);
    const entries = await entriesAt(db, projectId, { trees, path, budget });
    const inCommit = new Map([...rows, ...below].map((row) => [hex(row.sha), entries.get(hex(row.tree_sha)) ?? '']));
    const touching = rows.filter((row) => touches(row, inCommit)).map(({ sha }) => sha);
    shas.push(...touching.slice(Math.max(0, offset - total), Math.max(0, offset + limit - total)));
    total += touching.length;
  }
  return { shas, total };
}

function touches({ sha, parents }: HistoryRow, inCommit: ReadonlyMap<string, string>): boolean {
  const own = inCommit.get(hex(sha)) ?? '';
  const former = parents.map((parent) => inCommit.get(hex(parent)) ?? '');
  return former.length === 0 ? own !== '' : !former.includes(own);
}

/**
 * The entry at the path in each of these trees, as a text. It reads one level at a time, and each distinct directory
 * once.
 */
async function entriesAt(
  db: Queries,
  projectId: string,
  { trees, path, budget }: { trees: Buffer[]; path: string; budget: Budget },
): Promise<Map<string, string>> {
  let entries = new Map<string, Entry>();
  for (const sha of trees) {
    await budget.maybeYield();
    entries.set(hex(sha), { mode: directoryMode, sha });
  }
  for (const name of path.split('/').slice(1)) {
    const directories = [...entries.values()].filter(({ mode }) => mode === directoryMode).map(({ sha }) => sha);
    const below = await entriesNamed(db, projectId, { directories, name, budget });
    const deeper = new Map<string, Entry>();
    for (const [root, { sha }] of entries) {
      await budget.maybeYield();
      const entry = below.get(hex(sha));
      if (entry) deeper.set(root, entry);
    }
    entries = deeper;
  }
  const texts = new Map<string, string>();
  for (const [root, { mode, sha }] of entries) {
    await budget.maybeYield();
    texts.set(root, `${mode} ${hex(sha)}`);
  }
  return texts;
}

async function entriesNamed(
  db: Queries,
  projectId: string,
  { directories, name, budget }: { directories: Buffer[]; name: string; budget: Budget },
): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const { sha, size, deflated } of readObjects(db, projectId, directories, { type: 'tree' })) {
    budget.spend({ entries: 1 });
    await budget.maybeYield();
    const entry = findTreeEntry(await inflateObjectAsync(deflated, size), name);
    // A copy, so that the whole tree that contains it can be freed.
    if (entry) entries.set(hex(sha), { mode: entry.mode, sha: Buffer.from(entry.sha) });
  }
  return entries;
}

const hex = (sha: Buffer): string => sha.toString('hex');
