import type { SearchResults } from '@bottega/contract';
import { type Budget, createBudget } from '../../foundation/concurrency/budget.ts';
import type { Db } from '../../foundation/db/index.ts';
import type { Principal } from '../../foundation/http/index.ts';
import { readableProject } from '../../projects/index.ts';
import { isBinary } from '../objects/line-changes.ts';
import { inflateObjectAsync } from '../objects/objects.ts';
import { textFilesOfMain, textFilesOfView } from '../store/index.ts';
import { type Elsewhere, readableView } from './at-ref.service.ts';

const longestExcerpt = 200;
const largestSearched = 1_048_576;
/** Limits of a search. It must not block the event loop or the database for long, however large the project is. */
const maxBytes = 64 * 1_048_576;
const longestMs = 10_000;

/**
 * Finds lines that contain the text, ignoring case, ordered by path. Reads the files in batches until there are enough
 * matches.
 */
export async function searchFiles(
  db: Db,
  principal: Principal,
  projectId: string,
  { q, limit, place }: { q: string; limit: number; place: Elsewhere | null },
): Promise<SearchResults> {
  const files = await filesAt(db, principal, projectId, place);
  const budget = createBudget({ name: 'search', bytes: maxBytes, ms: longestMs, message: 'Too much to search' });
  const data: SearchResults['data'] = [];
  let skipped = false;
  for await (const { id, path, size, deflated } of files) {
    skipped ||= size > largestSearched;
    if (size > largestSearched || !deflated) continue;
    if (!budget.affords({ bytes: size })) return { data, truncated: true };
    const content = await inflateObjectAsync(deflated, size);
    if (isBinary(content)) continue;
    const matches = matchesIn(content.toString('utf8'), { q, max: limit + 1 - data.length, budget });
    for await (const match of matches) data.push({ file_id: await id(), path, ...match });
    if (data.length > limit) return { data: data.slice(0, limit), truncated: true };
  }
  return { data, truncated: skipped };
}

async function filesAt(db: Db, principal: Principal, projectId: string, place: Elsewhere | null) {
  if (place) return textFilesOfView(db, await readableView(db, principal, projectId, place), largestSearched);
  await readableProject(db, projectId, principal.userId);
  return textFilesOfMain(db, projectId, largestSearched);
}

/** Number of characters that are searched at a time, because many partial matches make a search slow. */
const windowLength = 32_768;

/** Yields the first match of each line. */
async function* matchesIn(text: string, { q, max, budget }: { q: string; max: number; budget: Budget }) {
  const needle = new RegExp(RegExp.escape(q), 'iu');
  // A match that starts at the end of a window must fit into the overlap. The match can be longer than the query,
  // because a character may be longer in its other case.
  const overlap = 4 * q.length;
  let [line, counted, found] = [1, 0, 0];
  for (let at = 0; at < text.length && found < max; ) {
    await budget.maybeYield();
    const position = text.slice(at, at + windowLength + overlap).search(needle);
    if (position < 0 || position >= windowLength) {
      at += windowLength;
      continue;
    }
    const match = at + position;
    const start = text.lastIndexOf('\n', match) + 1;
    const newline = text.indexOf('\n', match);
    const end = newline === -1 ? text.length : newline;
    for (; counted < start; counted = text.indexOf('\n', counted) + 1) line++;
    const from = Math.max(start, match - 60);
    const excerpt = text.slice(from, Math.min(end, from + longestExcerpt)).trimEnd();
    yield { line, column: match - start + 1, excerpt };
    found++;
    at = end + 1;
  }
}
