import type { Db } from '../../foundation/db/index.ts';
import { everywhere, type PendingRange, readPendingRange } from '../queue/index.ts';

/**
 * How long the range is cached. Ids increase with time. An old delivery that becomes pending again, as after a crash,
 * waits until the next read.
 */
const lookMs = 60_000;

/** Caches the range of ids that contains all pending deliveries. */
export function keepPendingRange(db: Db): () => Promise<PendingRange> {
  let known: Promise<PendingRange> | null = null;
  let readAt = 0;
  return () => {
    if (known && performance.now() - readAt < lookMs) return known;
    readAt = performance.now();
    // A partition may be dropped meanwhile. Searching all partitions is always correct.
    known = readPendingRange(db).catch(() => everywhere);
    return known;
  };
}
