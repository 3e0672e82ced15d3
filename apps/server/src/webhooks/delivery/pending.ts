import type { Db } from '../../foundation/db/index.ts';
import { everywhere, type PendingRange, readPendingRange } from '../queue/index.ts';

/**
 * How long the range is cached. Ids increase with time, so new deliveries are always within the range. An old delivery
 * that becomes pending again, for example after a crash, may have to wait until the range is read again.
 */
const lookMs = 60_000;

/** Caches the range of ids that contains all pending deliveries. */
export function keepPendingRange(db: Db): () => Promise<PendingRange> {
  let known: Promise<PendingRange> | null = null;
  let readAt = 0;
  return () => {
    if (known && performance.now() - readAt < lookMs) return known;
    readAt = performance.now();
    // The read fails if a partition is dropped meanwhile. Searching all partitions is always correct.
    known = readPendingRange(db).catch(() => everywhere);
    return known;
  };
}
