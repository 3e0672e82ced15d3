import type { Db, Queries } from '../../foundation/db/index.ts';
import type { CommitRow } from './commits.sql.ts';
import { commitsAtGeneration, type HistoryRow, readGenerations, storeBeside } from './history.sql.ts';

/**
 * Reads a history downwards by generations, one slice at a time. A commit has a higher generation than its parents.
 * After some commits were read, the rest of the history begins at those of their parents that were not read yet. A
 * history has at least one commit of every generation between the head's and the first. So a page of twenty commits
 * needs at most twenty generations, however long the history is.
 */

/** Number of generations that are read at once when many are skipped. */
const sliceSize = 1000;

export type HistoryPage = { shas: Buffer[]; rest: Buffer[] };

/** The commits at which the rest of the history begins after the commits in `taken` were read. */
export function restAfter(from: readonly Buffer[], taken: readonly HistoryRow[]): Buffer[] {
  const rest = new Map(from.map((sha) => [sha.toString('hex'), sha]));
  for (const { sha, parents } of taken) {
    rest.delete(sha.toString('hex'));
    for (const parent of parents) rest.set(parent.toString('hex'), parent);
  }
  return [...rest.values()];
}

/** All slices of a history, newest first, each with the start of the next one. */
export async function* historySlices(
  db: Queries,
  projectId: string,
  head: Buffer,
): AsyncGenerator<{ rows: HistoryRow[]; rest: Buffer[] }> {
  for (let from = [head]; from.length > 0; ) {
    const rows = await readGenerations(db, projectId, { from, generations: sliceSize });
    from = restAfter(from, rows);
    yield { rows, rest: from };
  }
}

/** The commits that follow `from`, after skipping `offset` of them. */
export async function readHistoryPage(
  db: Queries,
  projectId: string,
  { from, offset, limit }: { from: Buffer[]; offset: number; limit: number },
): Promise<HistoryPage> {
  let start = from;
  for (let left = offset; left > 0 && start.length > 0; ) {
    const slice = await readGenerations(db, projectId, { from: start, generations: Math.min(left, sliceSize) });
    const passed = slice.slice(0, left);
    start = restAfter(start, passed);
    left -= passed.length;
  }
  if (start.length === 0) return { shas: [], rest: [] };
  const rows = (await readGenerations(db, projectId, { from: start, generations: limit })).slice(0, limit);
  return { shas: rows.map(({ sha }) => sha), rest: restAfter(start, rows) };
}

/**
 * Finds a commit by its offset from the head without a walk, if possible. This works in a history without merges, at a
 * generation that only one commit of the project has. Then no commits have to be skipped.
 */
export async function jumpInHistory(
  db: Queries,
  projectId: string,
  { head, offset }: { head: CommitRow; offset: number },
): Promise<{ from: Buffer[]; offset: number }> {
  if (offset === 0 || head.beside !== 0) return { from: [head.sha], offset };
  if (offset >= head.generation) return { from: [], offset: 0 };
  const [sha, other] = await commitsAtGeneration(db, projectId, head.generation - offset);
  return sha && !other ? { from: [sha], offset: 0 } : { from: [head.sha], offset };
}

/** The number of commits in the history, including this one. A computed count is stored. */
export async function historyLength(db: Db, projectId: string, head: CommitRow): Promise<number> {
  if (head.beside !== null) return head.generation + head.beside;
  const length = await countDown(db, projectId, head.sha);
  await storeBeside(db, projectId, head.sha, length - head.generation);
  return length;
}

/**
 * Counts the commits of a history. Stops at the first commit that has a known count and that all of the remaining
 * history descends to. This is usually soon after a merge.
 */
async function countDown(db: Db, projectId: string, head: Buffer): Promise<number> {
  let counted = 0;
  const open = new Set([head.toString('hex')]);
  for await (const { rows } of historySlices(db, projectId, head)) {
    for (const { sha, parents, generation, beside } of rows) {
      open.delete(sha.toString('hex'));
      if (open.size === 0 && beside !== null) return counted + generation + beside;
      counted++;
      for (const parent of parents) open.add(parent.toString('hex'));
    }
  }
  return counted;
}
