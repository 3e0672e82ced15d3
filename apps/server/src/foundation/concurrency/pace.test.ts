import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

/** Holds the loop as a walk's step does, and says for how long. */
function work(ms: number): number {
  const begun = performance.now();
  while (performance.now() - begun < ms);
  return performance.now() - begun;
}

test('several walks at once leave about half of the event loop to others', async () => {
  const begun = performance.now();
  let worked = 0;
  async function walk(): Promise<void> {
    const { breathe } = createPace();
    for (let step = 0; step < 60; step++) {
      await breathe();
      worked += work(1);
    }
  }
  await Promise.all([walk(), walk(), walk()]);
  // The first slices of all begin before anybody knows of the others.
  expect(worked / (performance.now() - begun)).toBeLessThan(0.75);
});
