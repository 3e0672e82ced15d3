import type { ReviewThread } from '@bottega/contract';
import type { Side } from '../diff/diff-rows.ts';
import type { Dictionary } from '../words/dictionary.ts';
import type { Versions } from './diff-query.ts';
import type { threadWords } from './thread.words.ts';

export type LinePlace = { path: string; side: Side; start: number; line: number };
type Words = typeof threadWords extends Dictionary<infer Known> ? Known : never;

type Place = Pick<ReviewThread, 'path' | 'side' | 'start_line' | 'line'>;

/**
 * Where a thread is in the shown versions. The service knows its place in the newest version. In an older version, only
 * threads that were begun in that version are shown.
 */
export function shownPlace(thread: ReviewThread, { from, to }: Versions, newest: number): Place | null {
  const place = to === newest ? (thread.outdated ? null : thread) : thread.origin.version === to ? thread.origin : null;
  // The left side is the merge base, unless two versions are compared.
  return place?.side === 'LEFT' && from !== undefined ? null : place;
}

export const linePlace = (place: Place | null): LinePlace | null =>
  place?.path && place.line !== null
    ? { path: place.path, side: place.side ?? 'RIGHT', start: place.start_line ?? place.line, line: place.line }
    : null;

/** The place in words. Null for a thread about the whole request. */
export function whereOf(thread: ReviewThread, words: Words): string | null {
  const { path, side, start_line: start, line } = thread.outdated ? thread.origin : thread;
  if (path === null) return null;
  if (line === null) return path;
  const where = start === null || start === line ? words.line(path, line) : words.lines(path, start, line);
  return side === 'LEFT' ? words.before(where) : where;
}
