import { setTimeout as delay } from 'node:timers/promises';
import type { EventType } from '@bottega/contract';
import { freshFlight } from '../foundation/concurrency/single-flight.ts';
import type { Db } from '../foundation/db/index.ts';
import type { Place } from './cursor.ts';
import { createListeners, type Listener } from './listeners.ts';
import { type Batch, batchOf, nothingAt, placeOfNow, stretchFrom } from './place.ts';
import { createRecentBatches } from './recent-batches.ts';
import { readNow, readWindow } from './windows.sql.ts';

type Options = {
  db: Db;
  /** Who listens has changed. What they want; null: there is nobody. */
  onAudience(types: ReadonlySet<EventType> | null): void;
  onError(error: unknown): void;
};

const rowsAtOnce = 1_000;
const mostAtOnce = 2_000;
/** Events of a busy node are many, and one query is for all that were committed before. */
const apartMs = 15;
/** For events of which nobody told. */
const pollMs = 5_000;
const afterErrorMs = 500;

export type Reader = ReturnType<typeof createReader>;

/**
 * Reads new events for all listeners of this process: one query after a commit, however many there are. Each listener takes
 * what it gets at its own pace. One that waits is where the reader is; one that is behind finds what was read in the last
 * second here, and reads by itself what it has missed.
 */
export function createReader({ db, onAudience, onError }: Options) {
  const listeners = createListeners();
  const recent = createRecentBatches();
  let head: Place | null = null;
  let polling: NodeJS.Timeout | undefined;
  let readAt = 0;

  /** Whether there is more. */
  async function readOnce(from: Place): Promise<boolean> {
    const came = listeners.came();
    const window = { ...stretchFrom(from), ...listeners.audience(), rows: rowsAtOnce, most: mostAtOnce };
    const reading = await readWindow(db, window);
    // All have left meanwhile, and others have come: they begin at a place of their own.
    if (head !== from) return false;
    if (reading.database !== from.database) {
      for (const { end } of listeners.all()) end();
      return false;
    }
    const batch = batchOf(from, reading, mostAtOnce);
    head = batch.to;
    recent.add(batch, came);
    listeners.tellUsersOf(batch);
    return reading.more || batch.to.part !== undefined || from.part !== undefined;
  }

  const round = freshFlight(async () => {
    await delay(Math.max(0, readAt + apartMs - Date.now()));
    readAt = Date.now();
    if (listeners.size() === 0) return;
    head ??= placeOfNow(await readNow(db));
    while (head && (await readOnce(head)));
  });

  function look(): void {
    if (listeners.size() === 0) return;
    round().catch((error: unknown) => {
      onError(error);
      setTimeout(look, afterErrorMs).unref();
    });
  }

  function audienceChanged(): void {
    onAudience(listeners.size() === 0 ? null : new Set(listeners.audience().types));
  }

  return {
    /** Events may have been committed. */
    look,
    /** From then on everything that is new is read for it. Resolves with a place that is no older than the question. */
    async join(listener: Listener): Promise<Place> {
      listeners.add(listener);
      if (listeners.size() === 1) polling = setInterval(look, pollMs);
      audienceChanged();
      await round();
      if (!head) throw new Error('the reader has no place');
      return head;
    },
    leave(listener: Listener) {
      if (!listeners.remove(listener)) return;
      if (listeners.size() === 0) {
        clearInterval(polling);
        recent.clear();
        head = null;
      }
      audienceChanged();
    },
    /** Where the reader is: all that a listener that waits has been given. */
    place: () => head,
    /** Up to which snapshot a listener may read by itself without getting ahead for long. */
    target: () => head?.part?.until ?? head?.since ?? null,
    /** What comes behind a place, if it was read a moment ago, and for this listener too. */
    after: (place: Place, listener: Listener) => recent.after(place, (came) => listeners.wasThere(listener, came)),
    /** For a listener that is where the reader is: the next batch for its user, or none after a while; null: it has left. */
    async next(listener: Listener, ms: number): Promise<Batch | null> {
      // As long as it waits it is where the reader is. The moment of the timer counts, and not the one in which it is told.
      const timer = setTimeout(() => listeners.tell(listener, head && nothingAt(head)), ms);
      return listeners.wait(listener).finally(() => clearTimeout(timer));
    },
    /** The reader has gone on. */
    settled: round,
  };
}
