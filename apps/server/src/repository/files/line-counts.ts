import { createBudget } from '../../foundation/concurrency/budget.ts';
import type { Queries } from '../../foundation/db/index.ts';
import { countChanges } from '../objects/count-changes.ts';
import type { LineChanges } from '../objects/line-changes.ts';
import { type FileDifference, largestCompared, readBlobs } from '../store/index.ts';

type Sides = Pick<FileDifference, 'before' | 'after'>;
export type LineCounts = { additions: number; deletions: number };

/**
 * The most bytes of all turns together. They cost time but not memory, because only one turn of contents is in memory
 * at a time.
 */
const maxCountedBytes = 32 * 1_048_576;
const bytesOfTurn = 2 * 1_048_576;
const longestMs = 2_000;

/** A modified line counts both as removed and as added, as in a diff. */
export const countsOf = ({ lines_added, lines_removed, lines_modified }: LineChanges): LineCounts => ({
  additions: lines_added + lines_modified,
  deletions: lines_removed + lines_modified,
});

/** Counts the changed lines of files, within limits of size and time. Files beyond them have no counts. */
export async function countLines<One extends Sides>(
  db: Queries,
  projectId: string,
  all: readonly One[],
  sizeOf: (side: Sides['before']) => number,
): Promise<Map<One, LineCounts>> {
  const message = 'The files are too large to count their lines';
  const budget = createBudget({ name: 'line counts', bytes: maxCountedBytes, ms: longestMs, message });
  const counts = new Map<One, LineCounts>();
  const empty = Buffer.alloc(0);
  for (const turn of turnsOf(all, sizeOf)) {
    if (!budget.affords({ bytes: turn.bytes })) break;
    const shas = turn.files.flatMap(({ before, after }) => [before?.sha, after?.sha]);
    const contents = await readBlobs(
      db,
      projectId,
      shas.filter((sha) => sha !== undefined),
    );
    for (const one of turn.files) {
      const [old, now] = [one.before, one.after].map((side) => (side ? contents.get(side.sha.toString('hex')) : empty));
      await budget.maybeYield();
      if (!budget.affords({})) return counts;
      if (old && now) counts.set(one, countsOf(await countChanges(old, now, budget.maybeYield)));
    }
  }
  return counts;
}

/**
 * Splits the files into turns, whose contents are loaded together. Files that are too large to compare are left out.
 */
function* turnsOf<One extends Sides>(
  all: readonly One[],
  sizeOf: (side: Sides['before']) => number,
): Generator<{ files: One[]; bytes: number }> {
  let turn: { files: One[]; bytes: number } = { files: [], bytes: 0 };
  for (const one of all) {
    const [before, after] = [sizeOf(one.before), sizeOf(one.after)];
    if (Math.max(before, after) > largestCompared) continue;
    if (turn.bytes + before + after > bytesOfTurn) {
      yield turn;
      turn = { files: [], bytes: 0 };
    }
    turn.files.push(one);
    turn.bytes += before + after;
  }
  if (turn.files.length > 0) yield turn;
}
