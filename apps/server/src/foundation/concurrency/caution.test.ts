import { expect, test } from 'vitest';
import { createCaution } from './caution.ts';

const badData = Object.assign(new Error('invalid input'), { code: '22P02' });

/** Works through the items in batches. A batch fails if it contains the poisonous item. */
function workThrough(items: string[]): { done: string[]; leftOut: string[]; rounds: number } {
  const caution = createCaution(100);
  const [done, leftOut]: [string[], string[]] = [[], []];
  let rounds = 0;
  while (items.length > 0 && ++rounds < 1_000) {
    const batch = items.slice(0, caution.size());
    if (caution.isHopeless()) leftOut.push(...batch);
    else if (batch.includes('poison')) {
      caution.failed(badData);
      continue;
    } else done.push(...batch);
    items = items.slice(batch.length);
    caution.worked();
  }
  return { done, leftOut, rounds };
}

test('of a thousand items, only the one that always fails is left out, after few rounds', () => {
  const good = Array.from({ length: 1_000 }, (_, index) => `item ${index}`);
  const { done, leftOut, rounds } = workThrough([...good.slice(0, 777), 'poison', ...good.slice(777)]);
  expect(done).toEqual(good);
  expect(leftOut).toEqual(['poison']);
  expect(rounds).toBeLessThan(100);
});

test.each(['57P01', '40P01', '53200', 'ECONNREFUSED'])(
  'an error %s says nothing about the items, and makes none of them hopeless',
  (code) => {
    const caution = createCaution(1);
    for (let count = 0; count < 10; count++) caution.failed(Object.assign(new Error('away'), { code }));
    expect(caution.isHopeless()).toBe(false);
  },
);

test('an item is hopeless after our own code has failed on it three times', () => {
  const caution = createCaution(1);
  const hopeless = [1, 2, 3].map(() => {
    caution.failed(new TypeError('not a function'));
    return caution.isHopeless();
  });
  expect(hopeless).toEqual([false, false, true]);
  expect(caution.reason()).toBe('not a function');
});
