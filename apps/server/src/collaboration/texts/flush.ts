import type { Engine, Room } from './room.ts';
import { OwnershipLost, storeTexts } from './storing.ts';

/**
 * The delay before changes are stored. It is long enough to collect what several people type at the same time, and too
 * short to be noticed.
 */
const gatherMs = 20;
const maxRetryMs = 2_000;

/**
 * Stores the pending changes to the texts of a room after a short delay. While the database is down, updates stay in
 * memory and are retried with growing delays. Nothing is reported as durable during that time.
 */
export function flushSoon(engine: Engine, room: Room, delayMs = gatherMs): void {
  const { flush } = room;
  if (flush.timer || room.state === 'released') return;
  flush.timer = setTimeout(() => {
    flush.timer = null;
    room
      .queue(() => storePending(engine, room))
      .then(
        () => {
          flush.failures = 0;
          if (pendingIn(room).length > 0) flushSoon(engine, room);
        },
        (error: unknown) => {
          if (error instanceof OwnershipLost) return room.lost();
          if (flush.failures++ === 0) engine.onError(error, 'failed to store live texts; trying again');
          flushSoon(engine, room, Math.min(maxRetryMs, 100 * 2 ** flush.failures));
        },
      );
  }, delayMs);
}

export function stopFlush({ flush }: Room): void {
  if (flush.timer) clearTimeout(flush.timer);
}

const pendingIn = (room: Room) => [...room.texts.values()].filter(({ outbox }) => outbox.state !== 'stored');

async function storePending(engine: Engine, room: Room): Promise<void> {
  const texts = pendingIn(room);
  if (texts.length > 0) await storeTexts(engine, room, texts);
}
