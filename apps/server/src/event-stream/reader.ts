import { setTimeout as delay } from 'node:timers/promises';
import type { EventType } from '@bottega/contract';
import { freshFlight } from '../foundation/concurrency/single-flight.ts';
import type { Db } from '../foundation/db/index.ts';
import type { Position } from './cursor.ts';
import { createListeners, type Listener } from './listeners.ts';
import { type Batch, batchOf, currentPosition, nothingAt, stretchFrom } from './position.ts';
import { createRecentBatches } from './recent-batches.ts';
import { readNow, readWindow } from './windows.sql.ts';

type Options = {
  db: Db;
  /**
   * Called when the set of listeners changes, with the event types that they want, or null if there are no listeners.
   */
  onAudience(types: ReadonlySet<EventType> | null): void;
  onError(error: unknown): void;
};

const rowsAtOnce = 1_000;
const maxAtOnce = 2_000;
/** Shortest time between two reads, in milliseconds. Each read covers everything that was committed before it. */
const apartMs = 15;
/** Interval of polls, in milliseconds. They find events whose nudge was lost. */
const pollMs = 5_000;
const afterErrorMs = 500;

export type Reader = ReturnType<typeof createReader>;

/**
 * Creates the reader of new events for all listeners of this process. After a commit, it makes one query, however many
 * listeners there are. Each listener takes its events at its own pace. A waiting listener is at the reader's position.
 * A listener that is behind finds batches of the last second here, and reads older ones itself.
 */
export function createReader({ db, onAudience, onError }: Options) {
  const listeners = createListeners();
  const recent = createRecentBatches();
  let head: Position | null = null;
  let polling: NodeJS.Timeout | undefined;
  let readAt = 0;

  /** True if there is more to read. */
  async function readOnce(from: Position): Promise<boolean> {
    const came = listeners.came();
    const window = { ...stretchFrom(from), ...listeners.audience(), rows: rowsAtOnce, max: maxAtOnce };
    const reading = await readWindow(db, window);
    // In this case, all listeners have left meanwhile. New listeners begin at their own position.
    if (head !== from) return false;
    if (reading.database !== from.database) {
      for (const { end } of listeners.all()) end();
      return false;
    }
    const batch = batchOf(from, reading, maxAtOnce);
    head = batch.to;
    recent.add(batch, came);
    listeners.tellUsersOf(batch);
    return reading.more || batch.to.part !== undefined || from.part !== undefined;
  }

  const round = freshFlight(async () => {
    await delay(Math.max(0, readAt + apartMs - Date.now()));
    readAt = Date.now();
    if (listeners.size() === 0) return;
    head ??= currentPosition(await readNow(db));
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
    /** Call this if events may have been committed. */
    look,
    /** Reads all new events for the listener from now on. Resolves with a position no older than the call. */
    async join(listener: Listener): Promise<Position> {
      listeners.add(listener);
      if (listeners.size() === 1) polling = setInterval(look, pollMs);
      audienceChanged();
      await round();
      if (!head) throw new Error('the reader has no position');
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
    /** The reader's position. Waiting listeners have received everything before it. */
    position: () => head,
    /**
     * The snapshot up to which a listener may read by itself. It keeps the listener from getting far ahead of the
     * reader.
     */
    target: () => head?.part?.until ?? head?.since ?? null,
    /** The batch after a position, if it was read recently and for this listener too. */
    after: (position: Position, listener: Listener) =>
      recent.after(position, (came) => listeners.wasThere(listener, came)),
    /**
     * For a listener at the reader's position. Resolves with its next batch, or with an empty one after `ms`. Null if
     * the listener has left.
     */
    async next(listener: Listener, ms: number): Promise<Batch | null> {
      // A waiting listener is at the reader's position. `head` is read when the timer fires, not when the listener
      // resumes.
      const timer = setTimeout(() => listeners.tell(listener, head && nothingAt(head)), ms);
      return listeners.wait(listener).finally(() => clearTimeout(timer));
    },
    /** Resolves after the reader's next round. */
    settled: round,
  };
}
