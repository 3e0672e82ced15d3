import type { Budget } from '../../foundation/concurrency/budget.ts';
import type { Queries } from '../../foundation/db/index.ts';
import { inflateObjectAsync } from '../objects/objects.ts';
import { findTreeEntry } from '../objects/tree-lookup.ts';
import { directoryMode } from '../objects/trees.ts';
import { type HistoryRow, treesOf } from './history.sql.ts';
import { readObjects } from './objects.service.ts';

type Entry = { mode: number; sha: Buffer };

/**
 * Returns those of the commits that changed the content at a path, in the same order. A commit counts if its content
 * differs from that of every parent.
 */
export async function touchingAmong(
  db: Queries,
  projectId: string,
  { rows, path, budget }: { rows: readonly HistoryRow[]; path: string; budget: Budget },
): Promise<HistoryRow[]> {
  const own = new Set(rows.map(({ sha }) => hex(sha)));
  const outside = rows.flatMap(({ parents }) => parents.filter((sha) => !own.has(hex(sha))));
  const all = [...rows, ...(await treesOf(db, projectId, outside))];
  const trees = all.map((row) => row.tree_sha);
  const entries = await entriesAt(db, projectId, { trees, path, budget });
  const inCommit = new Map(all.map((row) => [hex(row.sha), entries.get(hex(row.tree_sha)) ?? '']));
  return rows.filter((row) => touches(row, inCommit));
}

function touches({ sha, parents }: HistoryRow, inCommit: ReadonlyMap<string, string>): boolean {
  const own = inCommit.get(hex(sha)) ?? '';
  const former = parents.map((parent) => inCommit.get(hex(parent)) ?? '');
  return former.length === 0 ? own !== '' : !former.includes(own);
}

/**
 * The entry at the path in each of these trees, as a text. Reads one level at a time, and each distinct directory only
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
