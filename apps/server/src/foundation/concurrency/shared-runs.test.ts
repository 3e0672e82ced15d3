import { expect, test } from 'vitest';
import { sharedRuns } from './shared-runs.ts';

/** Runs that end when the test says so. `groups` has the items of each run, in order. */
function heldRuns({ runs, max }: { runs: number; max: number }) {
  const groups: number[][] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const share = sharedRuns({
    run: async (items: number[]) => {
      groups.push(items);
      const end = Promise.withResolvers<void>();
      ends.push(end);
      await end.promise;
      return items.map((item) => item * 10);
    },
    runs,
    max,
    sizeOf: (item) => item,
  });
  return { groups, ends, share };
}

test('a lone item runs at once, and items that arrive while all runs are busy share the next run', async () => {
  const { groups, ends, share } = heldRuns({ runs: 2, max: 100 });
  const answers = [1, 2, 3, 4].map(share);
  expect(groups).toEqual([[1], [2]]);
  ends[1]?.resolve();
  expect(await answers[1]).toBe(20);
  expect(groups).toEqual([[1], [2], [3, 4]]);
  for (const end of ends) end.resolve();
  expect(await Promise.all(answers)).toEqual([10, 20, 30, 40]);
});

test('a run takes the items that fit, in order, and at least one', async () => {
  const { groups, ends, share } = heldRuns({ runs: 1, max: 5 });
  const answers = [1, 9, 2, 3, 4].map(share);
  for (const count of [1, 2, 3, 4]) {
    ends[count - 1]?.resolve();
    while (groups.length <= count && count < 4) await new Promise(setImmediate);
  }
  expect(await Promise.all(answers)).toEqual([10, 90, 20, 30, 40]);
  expect(groups).toEqual([[1], [9], [2, 3], [4]]);
});

test('a run that fails only fails its own items', async () => {
  const { ends, share } = heldRuns({ runs: 1, max: 5 });
  const [first, second] = [share(1), share(2)];
  ends[0]?.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  ends[1]?.resolve();
  expect(await second).toBe(20);
});
