import { nothingSeen, parseSnapshot } from '../events/index.ts';
import { AppError } from '../foundation/http/index.ts';
import type { Place } from './cursor.ts';
import type { FoundEvent, Now, Reading, Stretch } from './windows.sql.ts';

/** The part of the events between two places, in the order of their numbers. */
export type Batch = Pick<Reading, 'database' | 'readAt' | 'events'> & {
  from: Place;
  to: Place;
  /** Up to where the numbers of its events count. */
  until: string;
  /** What listeners are sent, by event, format and name: rendered once for all that get the same. */
  texts: Map<string, string>;
};

/** A transaction that takes longer than this is not waited for when one asks whether all of its events are still kept. */
const longestTransactionMs = 3_600_000;

export const stretchFrom = ({ since, part }: Place): Stretch => ({
  since,
  until: part?.until ?? null,
  afterSeq: part?.seq ?? 0,
});

/** Two places are the same where their keys are. */
export const keyOf = ({ since, part }: Place): string => (part ? `${since} ${part.until} ${part.seq}` : since);

/** The beginning of all that is kept. */
export const oldestPlace = (database: string): Place => ({
  database,
  happenedAfter: Number.MAX_SAFE_INTEGER,
  since: nothingSeen,
});

/** What was read from a place on; `most` events were asked for, so that as many may be not all. */
export function batchOf(from: Place, reading: Reading, most: number): Batch {
  const { database, readAt, events, until, lastAt } = reading;
  const last = events.at(-1);
  const batch = { database, readAt, events, from, until, texts: new Map() };
  if (events.length >= most && last) return { ...batch, to: placeBehind(batch, last) };
  const isUpToNow = until === reading.snapshot;
  const at = isUpToNow ? readAt : (lastAt ?? from.happenedAfter);
  return { ...batch, to: { database, happenedAfter: happenedAfter(readAt, at), since: until } };
}

export const placeBehind = (
  { database, readAt, from, until }: Pick<Batch, 'database' | 'readAt' | 'from' | 'until'>,
  { created_at, seq }: FoundEvent,
): Place => ({
  database,
  happenedAfter: happenedAfter(readAt, created_at.getTime()),
  since: from.since,
  part: { until, seq },
});

const happenedAfter = (readAt: number, at: number): number => Math.min(at, readAt - longestTransactionMs);

/** The place of somebody who begins now. */
export const placeOfNow = ({ database, readAt, snapshot }: Now): Place => ({
  database,
  happenedAfter: happenedAfter(readAt, readAt),
  since: snapshot,
});

/** Nothing new, for somebody who waited at a place. */
export const nothingAt = (place: Place): Batch => ({
  database: place.database,
  readAt: place.happenedAfter,
  events: [],
  from: place,
  to: place,
  until: place.since,
  texts: new Map(),
});

/** Nothing is left out silently: who cannot go on is told so. */
export function mustBeContinued(place: Place, { database, deletedUntil, snapshot }: Now): void {
  const isForeign = place.database !== database || lastOf(place) > parseSnapshot(snapshot).most;
  if (isForeign) throw gone('The cursor is from another database, such as one before a restore');
  if (place.happenedAfter < deletedUntil) throw gone('The events after this cursor are no longer kept');
}

const lastOf = ({ since, part }: Place): bigint => parseSnapshot(part?.until ?? since).most;

export const gone = (why: string): AppError =>
  new AppError('NOT_FOUND', `${why}; start again without a cursor`, {
    status: 410,
    details: [{ field: 'after', message: why }],
  });
