import type { Queries } from '../../foundation/db/index.ts';
import { restAfter } from './history.service.ts';
import { type HistoryRow, readGenerations } from './history.sql.ts';

/**
 * The generations that are read at a time. Usually, few are newer than the packs. The steps grow for a history that is
 * not packed at all.
 */
const generations = { first: 32, most: 1_000 };

type From = {
  from: Buffer[];
  /** Whether the commit is in a pack. If so, the walk ends there, because everything below it is in packs too. */
  isPacked(sha: Buffer): boolean;
  /** The commits that were read, in hex. */
  seen: Set<string>;
};

/** The commits that are newer than those in packs, newest first, some at a time. */
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
