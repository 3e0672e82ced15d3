import type { Queries } from '../../foundation/db/index.ts';
import { restAfter } from './history.service.ts';
import { type HistoryRow, readGenerations } from './history.sql.ts';

/** Usually there are few. A history that is not packed at all is read in larger steps. */
const generations = { first: 32, most: 1_000 };

type From = {
  from: Buffer[];
  /** Whether the commit is in a pack. Then so is everything below it, and the walk ends there. */
  isPacked(sha: Buffer): boolean;
  /** The commits that were read, in hex. */
  seen: Set<string>;
};

/** The commits above those in packs, newest first, some at a time. */
export async function* newerCommits(
  db: Queries,
  projectId: string,
  { from, isPacked, seen }: From,
): AsyncGenerator<HistoryRow[]> {
  const isOpen = (sha: Buffer): boolean => !seen.has(sha.toString('hex')) && !isPacked(sha);
  let some = generations.first;
  for (let open = from.filter(isOpen); open.length > 0; some = Math.min(4 * some, generations.most)) {
    const rows = await readGenerations(db, projectId, { from: open, generations: some });
    const newer = rows.filter(({ sha }) => isOpen(sha));
    for (const { sha } of newer) seen.add(sha.toString('hex'));
    yield newer;
    open = restAfter(open, rows).filter(isOpen);
  }
}
