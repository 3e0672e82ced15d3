import type { EventListQuery } from '@bottega/contract';
import { isSameSnapshot, nothingSeen } from '../events/index.ts';
import { createPace } from '../foundation/concurrency/pace.ts';
import type { Db } from '../foundation/db/index.ts';
import { malformed } from '../foundation/http/index.ts';
import { type Place, readCursor, writeCursor } from './cursor.ts';
import { type Batch, batchOf, gone, mustBeContinued, oldestPlace, placeOfNow, stretchFrom } from './place.ts';
import { audienceOf, bodyOf, type Wanted } from './wanted.ts';
import { readNow, readWindow, snapshotBefore } from './windows.sql.ts';

/** Events of all accounts that one statement examines, and maximum number of statements per request. */
const rowsAtOnce = 2_000;
const maxWindows = 10;

/** The position of a cursor. Null without a cursor. */
export function placeOf(cursor: string | undefined): Place | null {
  if (cursor === undefined) return null;
  const place = readCursor(cursor);
  if (!place) throw malformed('The cursor is not valid', [{ field: 'after', message: 'is not a valid cursor' }]);
  return place;
}

/** Reads the next events that a user gets from a position, at most `max`. */
export async function readBatch(
  db: Db,
  wanted: Wanted,
  { from, until, max }: { from: Place; until: string | null; max: number },
): Promise<Batch & { more: boolean }> {
  const stretch = stretchFrom(from);
  const reading = await readWindow(db, {
    ...stretch,
    until: stretch.until ?? until,
    ...audienceOf([wanted]),
    rows: rowsAtOnce,
    max,
  });
  mustBeContinued(from, reading);
  // Reading the same window again gives the same snapshot. A different one means that the cursor was forged.
  if (from.part && !isSameSnapshot(reading.until, from.part.until)) throw gone('The cursor does not match any events');
  const batch = batchOf(from, reading, max);
  return { ...batch, more: reading.more || from.part !== undefined || batch.to.part !== undefined };
}

type EventText = { text: string; next: string; more: boolean };

/** The JSON text of a page. Events are rendered as text, as for webhooks. */
export async function listEvents(
  db: Db,
  wanted: Wanted,
  { after, order, limit }: Pick<EventListQuery, 'after' | 'order' | 'limit'>,
): Promise<EventText> {
  if (order === 'desc') {
    if (after !== undefined)
      throw malformed('A query value is not valid', [{ field: 'order', message: 'must be asc if after is given' }]);
    return listNewest(db, wanted, limit);
  }
  let place = placeOf(after) ?? oldestPlace((await readNow(db)).database);
  const bodies: string[] = [];
  const pace = createPace();
  let more = true;
  for (let windows = 0; more && bodies.length < limit && windows < maxWindows; windows++) {
    const batch = await readBatch(db, wanted, { from: place, until: null, max: limit - bodies.length });
    for (const event of batch.events) {
      await pace.maybeYield();
      const name = wanted.nameOf(event);
      if (name !== null) bodies.push(bodyOf(event, name, wanted.format));
    }
    place = batch.to;
    more = batch.more;
  }
  return asText(bodies, { limit, more, place });
}

/**
 * Reads backwards, window by window. `next` covers events committed meanwhile; some of them may also be on this page.
 */
async function listNewest(db: Db, wanted: Wanted, limit: number): Promise<EventText> {
  const place = placeOfNow(await readNow(db));
  const bodies: string[] = [];
  const pace = createPace();
  let until: string | null = null;
  for (let windows = 0; bodies.length < limit && windows < maxWindows; windows++) {
    const since = await snapshotBefore(db, { until, rows: rowsAtOnce });
    const size = 2 * rowsAtOnce;
    const stretch = { since: since ?? nothingSeen, until, afterSeq: 0, rows: size, max: size };
    const { events } = await readWindow(db, { ...stretch, ...audienceOf([wanted]) });
    for (const event of events.reverse()) {
      await pace.maybeYield();
      const name = wanted.nameOf(event);
      if (name !== null && bodies.length < limit) bodies.push(bodyOf(event, name, wanted.format));
    }
    if (since === null) break;
    until = since;
  }
  return asText(bodies, { limit, more: false, place });
}

function asText(bodies: string[], { limit, more, place }: { limit: number; more: boolean; place: Place }): EventText {
  const next = writeCursor(place);
  const pagination = JSON.stringify({ limit, has_more: more, next });
  return { text: `{"data":[${bodies.join(',')}],"pagination":${pagination}}`, next, more };
}
