import { isDiskFull } from './errors.ts';

export type FullDisk = { note(error: unknown): void; isFull(): boolean };

/**
 * How long after a refused write the disk is assumed to be full, in milliseconds. The time is long enough for
 * monitoring to see it, and short enough to try again soon, since only a write shows whether there is space again.
 */
const countsMs = 10_000;

/**
 * Remembers whether the database has just refused a write because its disk is full. Reads cannot show this, because
 * they still succeed.
 */
export function watchForFullDisk(now = Date.now): FullDisk {
  let refusedAt = Number.NEGATIVE_INFINITY;
  return {
    note(error) {
      if (isDiskFull(error)) refusedAt = now();
    },
    isFull: () => now() - refusedAt < countsMs,
  };
}
