import type { Db } from '../foundation/db/index.ts';
import { eventText, longestSilenceMs, stillHere } from '../foundation/http/server-sent-events.ts';
import { type Place, writeCursor } from './cursor.ts';
import { readBatch } from './list.service.ts';
import type { Listener } from './listeners.ts';
import { type Batch, keyOf, nothingAt, placeBehind } from './place.ts';
import type { Reader } from './reader.ts';
import { bodyOf, type Wanted } from './wanted.ts';
import type { FoundEvent } from './windows.sql.ts';

type Options = {
  db: Db;
  reader: Reader;
  /** It has joined the reader. */
  listener: Listener;
  signal: AbortSignal;
  onSent(event: FoundEvent): void;
  silenceMs?: number;
};

const mostAtOnce = 500;

/**
 * The events from a place on, for ever, as the text of server-sent events. In step with the reader it gets what that has
 * read; behind it, whether it resumes or its client is slow, it reads by itself. The client pulls, so that one that takes
 * little has little in memory here.
 */
export async function* follow(options: Options, start: Place): AsyncGenerator<string> {
  const { listener, signal, silenceMs = longestSilenceMs } = options;
  let place = start;
  let spoken = Date.now();
  yield eventText({ id: writeCursor(place) });
  while (!signal.aborted) {
    const batch = await nextBatch(options, place, spoken + silenceMs - Date.now());
    if (!batch || signal.aborted) return;
    const text = textOf(batch, listener.wanted, options.onSent);
    place = batch.to;
    if (text !== '') yield text;
    // A client that gets little of much still learns how far it is, and has not to begin far behind later.
    else if (Date.now() - spoken >= silenceMs) yield stillHere + eventText({ id: writeCursor(place) });
    else continue;
    spoken = Date.now();
  }
}

async function nextBatch(options: Options, place: Place, ms: number): Promise<Batch | null> {
  const { db, reader, listener } = options;
  const known = reader.after(place, listener);
  if (known) return known;
  const head = reader.place();
  if (head && keyOf(head) === keyOf(place)) return reader.next(listener, Math.max(0, ms));
  const until = reader.target();
  if (place.part || place.since !== until) {
    return readBatch(db, listener.wanted, { from: place, until, most: mostAtOnce });
  }
  // The reader is in the middle of a window that this listener has already read to its end.
  await reader.settled();
  return nothingAt(place);
}

function textOf(batch: Batch, wanted: Wanted, onSent: (event: FoundEvent) => void): string {
  let text = '';
  for (const event of batch.events) {
    const name = wanted.nameOf(event);
    if (name === null) continue;
    text += renderedOnce(batch, event, { name, format: wanted.format });
    onSent(event);
  }
  return text;
}

function renderedOnce(
  batch: Batch,
  event: FoundEvent,
  { name, format }: { name: string; format: Wanted['format'] },
): string {
  const key = `${format} ${name} ${event.id}`;
  const known = batch.texts.get(key);
  if (known !== undefined) return known;
  const text = eventText({ id: writeCursor(placeBehind(batch, event)), data: bodyOf(event, name, format) });
  batch.texts.set(key, text);
  return text;
}
