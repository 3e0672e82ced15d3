import { isDiskFull } from './errors.ts';

export type FullDisk = { note(error: unknown): void; isFull(): boolean };

/** Long enough for monitoring to see it, short enough to try again soon: only a write shows whether there is room. */
const countsMs = 10_000;

/** Remembers whether the database has just refused a write because its disk is full. Reads do not show that. */
export function watchForFullDisk(now = Date.now): FullDisk {
  let refusedAt = Number.NEGATIVE_INFINITY;
  return {
    note(error) {
      if (isDiskFull(error)) refusedAt = now();
    },
    isFull: () => now() - refusedAt < countsMs,
  };
}
