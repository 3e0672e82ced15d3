import type { Place } from './cursor.ts';
import { type Batch, keyOf } from './place.ts';

/** Rights are those of the moment in which a batch was read: it is not given to anybody after this. */
export const recentMs = 1_000;
const mostEvents = 10_000;

/** What was read a moment ago, for listeners that are a little behind. */
export function createRecentBatches() {
  const batches = new Map<string, { batch: Batch; at: number; came: number }>();
  return {
    /** `came`: how many listeners had come when it was read. */
    add(batch: Batch, came: number) {
      // Where no transaction has begun since, it leads nowhere.
      if (keyOf(batch.from) === keyOf(batch.to)) return;
      const now = Date.now();
      batches.set(keyOf(batch.from), { batch, at: now, came });
      let kept = 0;
      for (const [key, { at, batch: one }] of [...batches].toReversed()) {
        kept += one.events.length;
        if (now - at > recentMs || kept > mostEvents) batches.delete(key);
      }
    },
    /** What comes behind a place, as far as it was read for whoever asks. */
    after(place: Place, wasThere: (came: number) => boolean): Batch | undefined {
      const found = batches.get(keyOf(place));
      return found && Date.now() - found.at <= recentMs && wasThere(found.came) ? found.batch : undefined;
    },
    clear: () => batches.clear(),
  };
}
