import type { Db, Queries } from '../../foundation/db/index.ts';
import type { CommitRow } from './commits.sql.ts';
import { commitsAtGeneration, type HistoryRow, keepBeside, readGenerations } from './history.sql.ts';

/**
 * A history is read downwards by generations, a slice at a time. A commit is of a higher generation than its parents, so
 * whatever was taken so far, the rest begins at the parents of it that were not taken: these are all that has to be
 * known to go on. A history has at least one commit of every generation from its head's to the first, so a page of
 * twenty needs twenty generations, however long the history is.
 */

/** Of generations, read at once where many are passed by. */
const sliceSize = 1000;

export type HistoryPage = { shas: Buffer[]; rest: Buffer[] };

/** Where what follows begins, once these were taken. */
export function restAfter(from: readonly Buffer[], taken: readonly HistoryRow[]): Buffer[] {
  const rest = new Map(from.map((sha) => [sha.toString('hex'), sha]));
  for (const { sha, parents } of taken) {
    rest.delete(sha.toString('hex'));
    for (const parent of parents) rest.set(parent.toString('hex'), parent);
  }
  return [...rest.values()];
}

/** All slices of a history, newest first; each with where the next one begins. */
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

/** The commits that follow `from`, after `offset` of them. */
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
 * A commit's place in the history below its head, where it can be told without a walk: in a history without merges, at a
 * generation that only one commit of the project has. Then nothing has to be passed by.
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

/** How many commits the history of this one has, itself included. What had to be counted is kept. */
export async function historyLength(db: Db, projectId: string, head: CommitRow): Promise<number> {
  if (head.beside !== null) return head.generation + head.beside;
  const length = await countDown(db, projectId, head.sha);
  await keepBeside(db, projectId, head.sha, length - head.generation);
  return length;
}

/** Ends at the first commit of a known count that all the rest goes through, mostly soon after a merge. */
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
