import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** Longest time that a walk blocks the event loop without a pause, except for a single long step. */
const sliceMs = 4;
/** Longest rest, in milliseconds. It follows a single long step, which could not be split. */
const longestRestMs = 250;

/** Longest time that a walk waits. However many walks there are, each continues within this time. */
const longestWaitMs = 1_000;

/**
 * The time at which the next slice of any walk may begin. A process has one event loop, so all walks share this time.
 * If two walks rested independently, each would work during the rests of the other.
 */
let nextStart = 0;

/**
 * Yields the event loop after it was busy for long enough. A request needs several turns of the loop until it is
 * answered. So a walk does not just yield once, but rests for as long as it worked. Await it in every loop.
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
      // The next slice will probably be as long as this one, and other walks rest after it too.
      nextStart = start + 2 * rest;
      await pause(start - now);
      begin();
    },
  };
}
