import type { EventListQuery } from '@bottega/contract';
import { isSameSnapshot, nothingSeen } from '../events/index.ts';
import { createPace } from '../foundation/concurrency/pace.ts';
import type { Db } from '../foundation/db/index.ts';
import { malformed } from '../foundation/http/index.ts';
import { type Position, readCursor, writeCursor } from './cursor.ts';
import {
  type Batch,
  batchOf,
  currentPosition,
  gone,
  mustBeContinued,
  oldestPosition,
  stretchFrom,
} from './position.ts';
import { audienceOf, bodyOf, type Wanted } from './wanted.ts';
import { readNow, readWindow, snapshotBefore } from './windows.sql.ts';

/** Number of events of all accounts that one statement examines, and maximum number of statements per request. */
const rowsAtOnce = 2_000;
const maxWindows = 10;

/** Returns the position of a cursor, or null if there is no cursor. */
export function positionOf(cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  const position = readCursor(cursor);
  if (!position) throw malformed('The cursor is not valid', [{ field: 'after', message: 'is not a valid cursor' }]);
  return position;
}

/** Reads the next events after a position that a user may see, but at most `max`. */
export async function readBatch(
  db: Db,
  wanted: Wanted,
  { from, until, max }: { from: Position; until: string | null; max: number },
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
  let position = positionOf(after) ?? oldestPosition((await readNow(db)).database);
  const bodies: string[] = [];
  const pace = createPace();
  let more = true;
  for (let windows = 0; more && bodies.length < limit && windows < maxWindows; windows++) {
    const batch = await readBatch(db, wanted, { from: position, until: null, max: limit - bodies.length });
    for (const event of batch.events) {
      await pace.maybeYield();
      const name = wanted.nameOf(event);
      if (name !== null) bodies.push(bodyOf(event, name, wanted.format));
    }
    position = batch.to;
    more = batch.more;
  }
  return asText(bodies, { limit, more, position });
}

/**
 * Lists the newest events, by reading backwards window by window. `next` continues with events that are committed after
 * this request has begun, some of which may already be on this page.
 */
async function listNewest(db: Db, wanted: Wanted, limit: number): Promise<EventText> {
  const position = currentPosition(await readNow(db));
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
  return asText(bodies, { limit, more: false, position });
}

function asText(
  bodies: string[],
  { limit, more, position }: { limit: number; more: boolean; position: Position },
): EventText {
  const next = writeCursor(position);
  const pagination = JSON.stringify({ limit, has_more: more, next });
  return { text: `{"data":[${bodies.join(',')}],"pagination":${pagination}}`, next, more };
}
