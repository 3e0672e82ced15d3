import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** Longest time that a walk blocks the event loop without a pause, except for a single long step. */
const sliceMs = 4;
/** Longest rest, in milliseconds. It follows a single long step, which could not be split. */
const longestRestMs = 250;

/** Longest time, in milliseconds, that a walk waits. However many walks there are, each continues within this time. */
const longestWaitMs = 1_000;

/**
 * No walk continues before this time. A process has one event loop, so all walks share it. If two walks rested
 * independently, each would work during the rests of the other.
 */
let restUntil = 0;

export type Pace = { maybeYield(): Promise<void> };

/**
 * Yields the event loop after it was busy for long enough. A request needs several turns of the loop until it is
 * answered. So a walk does not just yield once, but rests for as long as it worked. Await `maybeYield` in every loop,
 * and also after the last long step, because it makes other walks rest too.
 */
export function createPace(): Pace {
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
      restUntil = Math.max(restUntil, now + rest);
      await restOver(now + longestWaitMs);
      begin();
      // The next slice will probably be as long as this one.
      restUntil = begunAt + rest;
    },
  };
}

/**
 * Waits until `restUntil`. This is checked again after each pause, because another walk may have moved it further with
 * a step that was longer than expected.
 */
async function restOver(latest: number): Promise<void> {
  for (let now = performance.now(); now < Math.min(restUntil, latest); now = performance.now()) {
    await pause(Math.min(restUntil, latest) - now);
  }
}
