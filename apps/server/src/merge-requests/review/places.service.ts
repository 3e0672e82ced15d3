import { createBudget } from '../../foundation/concurrency/budget.ts';
import type { Db } from '../../foundation/db/index.ts';
import { diffTrees } from '../../repository/store/index.ts';
import * as rows from '../state/index.ts';
import { isFileOf, textAt, textOf, treeOf } from './contents.ts';
import { likeness, placeOfLines } from './line-places.ts';

/** A version with its merge base. */
export type FindVersion = (version: number) => Promise<rows.VersionRow>;

/** Maximum number of files that are read to find a file under its new name. */
const maxCandidates = 100;
const leastLikeness = 0.5;
/** Limits for one HTTP request. Threads beyond them keep their old places until the next request. */
const limits = { bytes: 64 * 2 ** 20, ms: 10_000 };

/**
 * Finds the places of the threads in the newest version. Each thread is compared with the version in which it was
 * begun, and not with the previous one. So if one force push removes a line and another one brings it back, the thread
 * is at this line again.
 */
export async function placeThreads(
  db: Db,
  row: rows.RequestRow,
  threads: readonly rows.ThreadRow[],
  findVersion: FindVersion,
): Promise<rows.ThreadRow[]> {
  const budget = createBudget({ name: 'places of threads', ...limits, message: 'There are too many threads' });
  const find = placeFinder(db, row, findVersion);
  const placed: rows.ThreadRow[] = [];
  for (const thread of threads) {
    await budget.maybeYield();
    if (thread.placed_version >= row.version || !budget.affords({ bytes: thread.text?.length ?? 0 })) {
      placed.push(thread);
      continue;
    }
    const place = await find(thread, (bytes) => budget.affords({ bytes }));
    if (!place) placed.push(thread);
    else {
      await rows.notePlace(db, thread.id, row.version, place);
      const { path: place_path, start: place_start, line: place_line, outdated } = place;
      placed.push({ ...thread, placed_version: row.version, place_path, place_start, place_line, outdated });
    }
  }
  return placed;
}

type Texts = { path: string | null; before: string | null; after: string | null };

function placeFinder(db: Db, row: rows.RequestRow, findVersion: FindVersion) {
  const known = new Map<string, Promise<Texts>>();
  const commitOf = async (version: number, side: rows.Origin['side']) => {
    const found = await findVersion(version);
    return side === 'LEFT' ? found.merge_base_sha : found.head_sha;
  };

  async function textsOf({ version, side }: rows.ThreadRow, path: string): Promise<Texts> {
    const [from, to] = [await commitOf(version, side), await commitOf(row.version, side)];
    const before = await textAt(db, row.project_id, from, path);
    const after = await textAt(db, row.project_id, to, path);
    if (after !== null || before === null) return { path, before, after };
    const renamed = await findRenamed(db, row.project_id, { from, to, before });
    return { path: renamed?.path ?? null, before, after: renamed?.text ?? null };
  }

  /** Returns the place of a thread. Null if the limits do not allow the comparison. */
  return async (thread: rows.ThreadRow, affords: (bytes: number) => boolean): Promise<rows.Place | null> => {
    const { path, start_line, line, version, side } = thread;
    if (path === null) return { path, start: null, line: null, outdated: false };
    const isAboutFile = start_line === null || line === null;
    if (isAboutFile && (await isFileOf(db, row.project_id, await findVersion(row.version), path))) {
      return { path, start: null, line: null, outdated: false };
    }
    const key = `${version} ${side} ${path}`;
    const texts = known.get(key) ?? textsOf(thread, path);
    known.set(key, texts);
    const { path: now, before, after } = await texts;
    const gone = { path, start: start_line, line, outdated: true };
    if (before === null || after === null || now === null) return gone;
    if (isAboutFile) return { path: now, start: null, line: null, outdated: false };
    if (!affords(before.length + after.length)) return null;
    const lines = placeOfLines(before, after, { start: start_line, line });
    return lines ? { path: now, ...lines, outdated: false } : { ...gone, path: now };
  };
}

type Renaming = { from: Buffer | null; to: Buffer | null; before: string };

/** The added file that contains the largest share of the text, if that is at least half. */
async function findRenamed(
  db: Db,
  projectId: string,
  { from, to, before }: Renaming,
): Promise<{ path: string; text: string } | null> {
  const trees = [await treeOf(db, projectId, from), await treeOf(db, projectId, to)] as const;
  const { files } = await diffTrees(db, projectId, ...trees);
  const added = files.filter((file) => !file.before && file.after).slice(0, maxCandidates);
  let best: { path: string; text: string; share: number } | null = null;
  for (const { path, after } of added) {
    const text = after && (await textOf(db, projectId, after.sha));
    const share = text ? likeness(before, text) : 0;
    if (text && share >= leastLikeness && share > (best?.share ?? 0)) best = { path, text, share };
  }
  return best;
}
