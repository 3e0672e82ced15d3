import { isDiskFull } from './errors.ts';

export type FullDisk = { note(error: unknown): void; isFull(): boolean };

/** Long enough for whoever watches to see it, short enough to try again soon: only a write tells whether there is room. */
const countsMs = 10_000;

/** Whether the database has refused a write a moment ago because its disk is full. Reads go on as ever, and tell nothing. */
export function watchForFullDisk(now = Date.now): FullDisk {
  let refusedAt = Number.NEGATIVE_INFINITY;
  return {
    note(error) {
      if (isDiskFull(error)) refusedAt = now();
    },
    isFull: () => now() - refusedAt < countsMs,
  };
}
