import { expect, test } from 'vitest';
import { keyedBatcher } from './batcher.ts';
import { keyedQueue } from './keyed-queue.ts';

/** A run that ends when the test says so. `groups` has the items of each run, in order. */
function heldRuns() {
  const groups: string[][] = [];
  const releases: (() => void)[] = [];
  const run = async (_key: string, items: string[]) => {
    groups.push(items);
    await new Promise<void>((release) => releases.push(release));
    return items.map((item) =>
      item.startsWith('bad')
        ? ({ status: 'rejected', reason: new Error(item) } as const)
        : ({ status: 'fulfilled', value: item.toUpperCase() } as const),
    );
  };
  const release = async () => {
    while (releases.length === 0) await new Promise(setImmediate);
    releases.shift()?.();
  };
  return { groups, run, release };
}

test('a lone item runs at once; items that arrive meanwhile run together, in order, each with its own outcome', async () => {
  const { groups, run, release } = heldRuns();
  const put = keyedBatcher(keyedQueue(), { run, max: 10 });
  const first = put('p', 'a');
  await new Promise(setImmediate);
  expect(groups).toEqual([['a']]);
  const others = Promise.allSettled(['b', 'bad', 'c'].map((item) => put('p', item)));
  await release();
  await release();
  expect(await first).toBe('A');
  expect((await others).map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual([
    'B',
    'Error: bad',
    'C',
  ]);
  expect(groups).toEqual([['a'], ['b', 'bad', 'c']]);
});

test('a group has a maximum size, and further items form groups of their own', async () => {
  const { groups, run, release } = heldRuns();
  const put = keyedBatcher(keyedQueue(), { run, max: 2 });
  const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((item) => put('p', item)));
  for (let n = 0; n < 3; n++) await release();
  expect(await all).toEqual(['A', 'B', 'C', 'D', 'E']);
  expect(groups).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
});

test('a run that fails as a whole fails all of its items, and the next run goes on', async () => {
  let runs = 0;
  const put = keyedBatcher<string, string>(keyedQueue(), {
    max: 10,
    run: async (_key, items) => {
      if (++runs === 1) throw new Error('away');
      return items.map((value) => ({ status: 'fulfilled', value }));
    },
  });
  const failed = await Promise.allSettled([put('p', 'a'), put('p', 'b')]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await put('p', 'c')).toBe('c');
});

test('other tasks of the same key, and items of another key, keep their turns', async () => {
  const queue = keyedQueue();
  const order: string[] = [];
  const put = keyedBatcher<string, void>(queue, {
    max: 10,
    run: async (key, items) => {
      order.push(`${key}: ${items}`);
      return items.map(() => ({ status: 'fulfilled', value: undefined }));
    },
  });
  await Promise.all([put('p', 'a'), queue('p', async () => void order.push('alone')), put('q', 'b')]);
  expect(order.toSorted()).toEqual(['alone', 'p: a', 'q: b']);
  expect(order.indexOf('p: a')).toBeLessThan(order.indexOf('alone'));
});
