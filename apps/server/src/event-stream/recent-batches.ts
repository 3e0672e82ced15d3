import type { Position } from './cursor.ts';
import { type Batch, keyOf } from './position.ts';

/**
 * How long a batch may be used after it was read, in milliseconds. The time is short, because rights were checked only
 * during the read.
 */
export const recentMs = 1_000;
const maxEvents = 10_000;

/** Recently read batches, for listeners that are a little behind. */
export function createRecentBatches() {
  const batches = new Map<string, { batch: Batch; at: number; came: number }>();
  return {
    /** `came` is the number of listeners that had joined when the batch was read. */
    add(batch: Batch, came: number) {
      // If no transaction has begun since the last batch, the position stays the same, and the batch is not needed.
      if (keyOf(batch.from) === keyOf(batch.to)) return;
      const now = Date.now();
      batches.set(keyOf(batch.from), { batch, at: now, came });
      let kept = 0;
      for (const [key, { at, batch: one }] of [...batches].toReversed()) {
        kept += one.events.length;
        if (now - at > recentMs || kept > maxEvents) batches.delete(key);
      }
    },
    /** The batch after a position, if it was read for this listener. */
    after(position: Position, wasThere: (came: number) => boolean): Batch | undefined {
      const entry = batches.get(keyOf(position));
      return entry && Date.now() - entry.at <= recentMs && wasThere(entry.came) ? entry.batch : undefined;
    },
    clear: () => batches.clear(),
  };
}
