import type { EventListQuery } from '@bottega/contract';
import { isSameSnapshot } from '../events/index.ts';
import type { Db } from '../foundation/db/index.ts';
import { malformed } from '../foundation/http/index.ts';
import { type Place, readCursor, writeCursor } from './cursor.ts';
import { type Batch, batchOf, gone, mustBeContinued, oldestPlace, stretchFrom } from './place.ts';
import { audienceOf, bodyOf, type Wanted } from './wanted.ts';
import { readNow, readWindow } from './windows.sql.ts';

/** So many events are looked at by one statement, whosever they are, and so many statements one request may make. */
const rowsAtOnce = 2_000;
const mostWindows = 10;

/** The place that a cursor stands for; null without one. */
export function placeOf(cursor: string | undefined): Place | null {
  if (cursor === undefined) return null;
  const place = readCursor(cursor);
  if (!place) throw malformed('This is not a cursor of events', [{ field: 'after', message: 'is not a cursor' }]);
  return place;
}

/** What a user gets of the events from a place on: `most` at a time. */
export async function readBatch(
  db: Db,
  wanted: Wanted,
  { from, until, most }: { from: Place; until: string | null; most: number },
): Promise<Batch & { more: boolean }> {
  const stretch = stretchFrom(from);
  const reading = await readWindow(db, {
    ...stretch,
    until: stretch.until ?? until,
    ...audienceOf([wanted]),
    rows: rowsAtOnce,
    most,
  });
  mustBeContinued(from, reading);
  // A window that was read once is read as far again; only one that somebody made up is larger.
  if (from.part && !isSameSnapshot(reading.until, from.part.until))
    throw gone('This cursor is of no part of the events');
  const batch = batchOf(from, reading, most);
  return { ...batch, more: reading.more || from.part !== undefined || batch.to.part !== undefined };
}

/** The JSON text of a page: events are rendered as text, as they are for webhooks. */
export async function listEvents(
  db: Db,
  wanted: Wanted,
  { after, limit }: Pick<EventListQuery, 'after' | 'limit'>,
): Promise<{ text: string; next: string; more: boolean }> {
  let place = placeOf(after) ?? oldestPlace((await readNow(db)).database);
  const bodies: string[] = [];
  let more = true;
  for (let windows = 0; more && bodies.length < limit && windows < mostWindows; windows++) {
    const batch = await readBatch(db, wanted, { from: place, until: null, most: limit - bodies.length });
    for (const event of batch.events) {
      const name = wanted.nameOf(event);
      if (name !== null) bodies.push(bodyOf(event, name, wanted.format));
    }
    place = batch.to;
    more = batch.more;
  }
  const next = writeCursor(place);
  const pagination = JSON.stringify({ limit, has_more: more, next });
  return { text: `{"data":[${bodies.join(',')}],"pagination":${pagination}}`, next, more };
}
