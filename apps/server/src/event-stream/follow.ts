import { createPace } from '../foundation/concurrency/pace.ts';
import type { Db } from '../foundation/db/index.ts';
import { eventText, longestSilenceMs, stillHere } from '../foundation/http/answers/server-sent-events.ts';
import { type Position, writeCursor } from './cursor.ts';
import { readBatch } from './list.service.ts';
import type { Listener } from './listeners.ts';
import { type Batch, keyOf, nothingAt, positionBehind } from './position.ts';
import type { Reader } from './reader.ts';
import { recentMs } from './recent-batches.ts';
import { bodyOf, type Wanted } from './wanted.ts';
import type { FoundEvent } from './windows.sql.ts';

type Options = {
  db: Db;
  reader: Reader;
  /** A listener that has joined the reader. */
  listener: Listener;
  signal: AbortSignal;
  onSent(event: FoundEvent): void;
  silenceMs?: number;
};

const maxAtOnce = 500;
const pieceLength = 65_536;
/**
 * Longest time, in milliseconds, that handling a batch blocks the event loop. Before the pause, the events found so far
 * are sent.
 */
const pieceMs = 4;

/**
 * Yields an endless stream of events from a position, as the text of server-sent events. A client that keeps up gets
 * the batches of the shared reader. For a client that resumes or is slow, events are read separately. The client pulls,
 * so a slow one uses little memory here.
 */
export async function* follow(options: Options, start: Position): AsyncGenerator<string> {
  const { signal, onSent, silenceMs = longestSilenceMs } = options;
  let position = start;
  let spoken = Date.now();
  yield eventText({ id: writeCursor(position) });
  while (!signal.aborted) {
    const batch = await nextBatch(options, position, spoken + silenceMs - Date.now());
    if (!batch || signal.aborted) return;
    const begun = Date.now();
    for await (const { text, events, behind } of piecesOf(batch, options)) {
      if (signal.aborted) return;
      // The user's rights may have changed since the batch was read, so the rest of it is read again.
      if (Date.now() - begun > recentMs) break;
      position = behind;
      if (text === '') continue;
      for (const event of events) onSent(event);
      yield text;
      spoken = Date.now();
    }
    if (signal.aborted) return;
    if (Date.now() - spoken < silenceMs) continue;
    // A client that gets few events still receives its position from time to time, so that it does not resume far
    // behind.
    yield stillHere + eventText({ id: writeCursor(position) });
    spoken = Date.now();
  }
}

async function nextBatch(options: Options, position: Position, ms: number): Promise<Batch | null> {
  const { db, reader, listener } = options;
  const known = reader.after(position, listener);
  if (known) return known;
  const head = reader.position();
  if (head && keyOf(head) === keyOf(position)) return reader.next(listener, Math.max(0, ms));
  const until = reader.target();
  if (position.part || position.since !== until) {
    return readBatch(db, listener.wanted, { from: position, until, max: maxAtOnce });
  }
  // This listener has already read a window of which the reader has read only a part, so it waits for the reader.
  await reader.settled();
  return nothingAt(position);
}

type Piece = { text: string; events: FoundEvent[]; behind: Position };

/** Splits a listener's part of a batch into pieces. An empty piece still reports the position. */
async function* piecesOf(batch: Batch, { listener: { wanted } }: Options): AsyncGenerator<Piece> {
  const pace = createPace();
  let [text, events, since]: [string, FoundEvent[], number] = ['', [], performance.now()];
  for (const event of batch.events) {
    const name = wanted.nameOf(event);
    if (name !== null) {
      text += renderedOnce(batch, event, { name, format: wanted.format });
      events.push(event);
    }
    const isLong = performance.now() - since > pieceMs;
    if (text.length < pieceLength && !isLong) continue;
    yield { text, events, behind: positionBehind(batch, event) };
    [text, events] = ['', []];
    if (!isLong) continue;
    await pace.maybeYield();
    since = performance.now();
  }
  yield { text, events, behind: batch.to };
}

function renderedOnce(
  batch: Batch,
  event: FoundEvent,
  { name, format }: { name: string; format: Wanted['format'] },
): string {
  const key = `${format} ${name} ${event.id}`;
  const known = batch.texts.get(key);
  if (known !== undefined) return known;
  const text = eventText({ id: writeCursor(positionBehind(batch, event)), data: bodyOf(event, name, format) });
  batch.texts.set(key, text);
  return text;
}
