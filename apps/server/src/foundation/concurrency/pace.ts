import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** Nobody else waits longer than this for a walk, beside what a single step of it takes. */
const sliceMs = 4;
/** After a single long step, which could not be cut. */
const longestRestMs = 250;

/** However many walks there are: one of them goes on before its time is over, and none waits without end. */
const longestWaitMs = 1_000;

/**
 * When the next slice of any walk may begin. The loop is one for the whole process, and so is this: two walks that
 * rested each for itself would fill each other's rests.
 */
let nextStart = 0;

/**
 * Gives the event loop to others where it was busy for long enough. A request goes through the loop several times before it
 * is answered; so a walk does not only let others pass once, it rests for as long as it worked. Await it in every loop.
 */
export function createPace(): { breathe(): Promise<void> } {
  let begunAt = performance.now();
  let begun = performance.eventLoopUtilization();
  function begin(): void {
    begunAt = performance.now();
    begun = performance.eventLoopUtilization();
  }
  return {
    async breathe() {
      const now = performance.now();
      // Most calls end here: it has to be cheap enough for every entry of a tree.
      if (now - begunAt < sliceMs) return;
      // Time that was spent waiting for the database is nobody's loss.
      const { active } = performance.eventLoopUtilization(begun);
      if (active < sliceMs) return begin();
      const rest = Math.min(active, longestRestMs);
      const start = Math.min(Math.max(now + rest, nextStart), now + longestWaitMs);
      // Its next slice is likely to be as long as this one, and others rest after it too.
      nextStart = start + 2 * rest;
      await pause(start - now);
      begin();
    },
  };
}
