import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

/** Blocks the event loop like a step of a walk, and returns for how long. */
function work(ms: number): number {
  const begun = performance.now();
  while (performance.now() - begun < ms);
  return performance.now() - begun;
}

test('several walks at once leave about half of the event loop to others', async () => {
  const begun = performance.now();
  let worked = 0;
  async function walk(): Promise<void> {
    const { maybeYield } = createPace();
    for (let step = 0; step < 60; step++) {
      await maybeYield();
      worked += work(1);
    }
  }
  await Promise.all([walk(), walk(), walk()]);
  // The very first slices begin before the walks know of each other.
  expect(worked / (performance.now() - begun)).toBeLessThan(0.75);
});
