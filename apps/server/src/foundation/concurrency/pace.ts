import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** Longest time that a walk blocks the event loop in one go, apart from a single long step. */
const sliceMs = 4;
/** Longest rest. It follows a single long step, which could not be split. */
const longestRestMs = 250;

/** Longest wait of a walk. However many walks there are, one continues within this time, and none waits forever. */
const longestWaitMs = 1_000;

/**
 * When the next slice of any walk may begin. The process has one event loop, so it has one such time: two walks that
 * rested independently would fill each other's rests.
 */
let nextStart = 0;

/**
 * Yields the event loop after it was busy for long enough. A request takes several turns of the loop until it is
 * answered. So a walk does not yield only once: it rests for as long as it worked. Await it in every loop.
 */
export function createPace(): { maybeYield(): Promise<void> } {
  let begunAt = performance.now();
  let begun = performance.eventLoopUtilization();
  function begin(): void {
    begunAt = performance.now();
    begun = performance.eventLoopUtilization();
  }
  return {
    async maybeYield() {
      const now = performance.now();
      // Most calls end here, so this must be cheap enough for every entry of a tree.
      if (now - begunAt < sliceMs) return;
      // Time spent waiting for the database does not count, since it blocks nobody.
      const { active } = performance.eventLoopUtilization(begun);
      if (active < sliceMs) return begin();
      const rest = Math.min(active, longestRestMs);
      const start = Math.min(Math.max(now + rest, nextStart), now + longestWaitMs);
      // The next slice is likely to be as long as this one, and other walks rest after it too.
      nextStart = start + 2 * rest;
      await pause(start - now);
      begin();
    },
  };
}
