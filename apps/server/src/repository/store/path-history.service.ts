import { type Budget, createBudget } from '../../foundation/concurrency/budget.ts';
import { type Db, inSnapshot, type Trx } from '../../foundation/db/index.ts';
import { type GraphCommit, inHistoryOrder } from '../objects/commit-graph.ts';
import { newerCommits } from './newer-commits.service.ts';
import { openHistories } from './packs/histories.service.ts';
import { touchingAmong } from './path-entries.service.ts';

/** Maximum number of commits, and of directories read for them. */
const maxEntries = 500_000;
const longestMs = 15_000;

type Touching = Omit<GraphCommit, 'parents'>;

/**
 * The ids of one page of the commits that changed the content at a path, newest first, as in `git log -- path`. A merge
 * that took the content from one of its parents is left out. For commits in packs, an index says which of them changed
 * the path. Newer commits are compared with their parents.
 */
export async function commitsTouching(
  db: Db,
  projectId: string,
  { head, path, offset, limit }: { head: Buffer; path: string; offset: number; limit: number },
): Promise<{ shas: Buffer[]; total: number }> {
  const budget = createBudget({
    name: 'history of a path',
    entries: maxEntries,
    ms: longestMs,
    message: 'The history is too long to search for one path',
  });
  const [lists] = await inSnapshot(db, async (trx) => [await touchingLists(trx, projectId, { head, path, budget })]);
  const total = lists.reduce((sum, { length }) => sum + length, 0);
  const shas = firstOf(lists, offset + limit).slice(offset);
  return { shas: shas.map(({ sha }) => sha), total };
}

/** A list of commits in the order of a history. Items are created only when they are read. */
type List = { length: number; at(index: number): Touching };

async function touchingLists(
  trx: Trx,
  projectId: string,
  { head, path, budget }: { head: Buffer; path: string; budget: Budget },
): Promise<List[]> {
  const packed = (await openHistories(trx, projectId)).map((history) => ({
    ...history,
    marks: new Uint8Array(history.graph.count),
  }));
  const mark = (sha: Buffer): boolean =>
    packed.some(({ graph, marks }) => {
      const place = graph.placeOf(sha);
      if (place !== undefined) marks[place] = 1;
      return place !== undefined;
    });
  const newer: Touching[] = [];
  const seen = new Set<string>();
  for (let from = [head]; from.length > 0; ) {
    for await (const rows of newerCommits(trx, projectId, { from, isPacked: mark, seen })) {
      budget.spend({ entries: rows.length });
      const touching = await touchingAmong(trx, projectId, { rows, path, budget });
      newer.push(...touching.map((row) => ({ ...row, time: row.committed_at.getTime() })));
    }
    from = packed.flatMap(({ graph, marks }) => graph.spread(marks)).filter((sha) => !isKnown(sha));
  }
  newer.sort(inHistoryOrder);
  const lists: List[] = [{ length: newer.length, at: (index) => newer[index] as Touching }];
  for (const { graph, marks, touching } of packed) {
    const places = (await touching(path)).filter((place) => marks[place]);
    lists.push({ length: places.length, at: (index) => graph.at(places[index] as number) });
  }
  return lists;

  /** Whether the commit and everything below it are already marked or walked. */
  function isKnown(sha: Buffer): boolean {
    const isMarked = packed.some(({ graph, marks }) => marks[graph.placeOf(sha) ?? -1] === 1);
    return isMarked || seen.has(sha.toString('hex'));
  }
}

/** The first items of all lists together. */
function firstOf(lists: readonly List[], count: number): Touching[] {
  const open = lists.map((list) => ({ list, next: 0 }));
  const first: Touching[] = [];
  while (first.length < count) {
    let best: { item: Touching; from: (typeof open)[number] } | undefined;
    for (const from of open) {
      if (from.next === from.list.length) continue;
      const item = from.list.at(from.next);
      if (!best || inHistoryOrder(item, best.item) < 0) best = { item, from };
    }
    if (!best) break;
    best.from.next++;
    first.push(best.item);
  }
  return first;
}
