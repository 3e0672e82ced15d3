import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

/** Blocks the event loop like a step of a walk, and returns for how long. */
function work(ms: number): number {
  const begun = performance.now();
  while (performance.now() - begun < ms);
  return performance.now() - begun;
}

test('several walks at once leave about half of the event loop to other work', async () => {
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

test('after a long step of one walk, the others rest too, however long they have waited for their turn', async () => {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const pauses: number[] = [];
  let turnsBefore = turns;
  async function walk(): Promise<void> {
    const { maybeYield } = createPace();
    for (let step = 0; step < 8; step++) {
      await maybeYield();
      pauses.push(turns - turnsBefore);
      work(step % 2 === 0 ? 5 : 40);
      turnsBefore = turns;
    }
    void maybeYield();
  }
  await walk();
  pauses.length = 0;
  await Promise.all([walk(), walk(), walk()]);
  isOver = true;
  // The very first slices begin before the walks know of each other.
  expect(Math.min(...pauses.slice(3))).toBeGreaterThan(3);
});
