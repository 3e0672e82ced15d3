import { nothingSeen, parseSnapshot } from '../events/index.ts';
import { AppError } from '../foundation/http/index.ts';
import type { Position } from './cursor.ts';
import type { FoundEvent, Now, Reading, Stretch } from './windows.sql.ts';

/** The events between two positions, ordered by their numbers. */
export type Batch = Pick<Reading, 'database' | 'readAt' | 'events'> & {
  from: Position;
  to: Position;
  /** The snapshot up to which the numbers of the events are valid. */
  until: string;
  /** Rendered events by event, format and name, shared by all listeners that get the same text. */
  texts: Map<string, string>;
};

/** Longest transaction that the check for deleted events allows for, in milliseconds. */
const longestTransactionMs = 3_600_000;

export const stretchFrom = ({ since, part }: Position): Stretch => ({
  since,
  until: part?.until ?? null,
  afterSeq: part?.seq ?? 0,
});

/** Two positions are the same if their keys are equal. */
export const keyOf = ({ since, part }: Position): string => (part ? `${since} ${part.until} ${part.seq}` : since);

/** The position before all stored events. */
export const oldestPosition = (database: string): Position => ({
  database,
  happenedAfter: Number.MAX_SAFE_INTEGER,
  since: nothingSeen,
});

/** Builds a batch from a read. If it holds `max` events, there may be more. */
export function batchOf(from: Position, reading: Reading, max: number): Batch {
  const { database, readAt, events, until, lastAt } = reading;
  const last = events.at(-1);
  const batch = { database, readAt, events, from, until, texts: new Map() };
  if (events.length >= max && last) return { ...batch, to: positionBehind(batch, last) };
  const isUpToNow = until === reading.snapshot;
  const at = isUpToNow ? readAt : (lastAt ?? from.happenedAfter);
  return { ...batch, to: { database, happenedAfter: happenedAfter(readAt, at), since: until } };
}

export const positionBehind = (
  { database, readAt, from, until }: Pick<Batch, 'database' | 'readAt' | 'from' | 'until'>,
  { created_at, seq }: FoundEvent,
): Position => ({
  database,
  happenedAfter: happenedAfter(readAt, created_at.getTime()),
  since: from.since,
  part: { until, seq },
});

const happenedAfter = (readAt: number, at: number): number => Math.min(at, readAt - longestTransactionMs);

/** The position of a client that begins now. */
export const currentPosition = ({ database, readAt, snapshot }: Now): Position => ({
  database,
  happenedAfter: happenedAfter(readAt, readAt),
  since: snapshot,
});

/** An empty batch for a client that waits at a position. */
export const nothingAt = (position: Position): Batch => ({
  database: position.database,
  readAt: position.happenedAfter,
  events: [],
  from: position,
  to: position,
  until: position.since,
  texts: new Map(),
});

/** Throws if events after the position are lost, so that no event is skipped silently. */
export function mustBeContinued(position: Position, { database, deletedUntil, snapshot }: Now): void {
  const isForeign = position.database !== database || lastOf(position) > parseSnapshot(snapshot).xmax;
  if (isForeign) throw gone('The cursor is from another database, such as one before a restore');
  if (position.happenedAfter < deletedUntil) throw gone('The events after this cursor are no longer kept');
}

const lastOf = ({ since, part }: Position): bigint => parseSnapshot(part?.until ?? since).xmax;

export const gone = (why: string): AppError =>
  new AppError('NOT_FOUND', `${why}; start again without a cursor`, {
    status: 410,
    details: [{ field: 'after', message: why }],
  });
