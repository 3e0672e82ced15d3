import type { Db } from '../../foundation/db/index.ts';
import { everywhere, type PendingRange, readPendingRange } from '../queue/index.ts';

/** Ids rise with time. One from long ago that is pending all of a sudden, as after a crash, waits until the next look. */
const lookMs = 60_000;

/** Where to look for what is pending. */
export function keepPendingRange(db: Db): () => Promise<PendingRange> {
  let known: Promise<PendingRange> | null = null;
  let readAt = 0;
  return () => {
    if (known && performance.now() - readAt < lookMs) return known;
    readAt = performance.now();
    // A partition may be dropped in between. To look everywhere is never wrong.
    known = readPendingRange(db).catch(() => everywhere);
    return known;
  };
}
