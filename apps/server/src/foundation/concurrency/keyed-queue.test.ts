import { expect, test } from 'vitest';
import { keyedBatcher } from './batcher.ts';
import { keyedQueue, WaitedTooLong } from './keyed-queue.ts';

test('a task that waits for longer than the queue allows is refused, and never begins', async () => {
  const queue = keyedQueue({ patienceMs: 5 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = queue('p', () => promise);
  let begun = 0;
  const count = async () => ++begun;
  await expect(queue('p', count)).rejects.toBeInstanceOf(WaitedTooLong);
  expect(await queue('another', count)).toBe(1);
  resolve();
  await first;
  expect(await queue('p', count)).toBe(2);
});

test('a task that has begun may take as long as it needs', async () => {
  const queue = keyedQueue({ patienceMs: 5 });
  const slow = () => new Promise<string>((resolve) => setTimeout(resolve, 30, 'done'));
  expect(await queue('p', slow)).toBe('done');
});

test('a group whose turn does not come in time is refused as a whole, and the next group begins anew', async () => {
  const queue = keyedQueue({ patienceMs: 5 });
  const run = async (_key: string, items: string[]) => items.map((value) => ({ status: 'fulfilled', value }) as const);
  const put = keyedBatcher(queue, { run, max: 10 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = queue('p', () => promise);
  const late = await Promise.allSettled([put('p', 'a'), put('p', 'b')]);
  expect(late.map((one) => one.status === 'rejected' && one.reason)).toEqual(Array(2).fill(expect.any(WaitedTooLong)));
  resolve();
  await first;
  expect(await put('p', 'c')).toBe('c');
});
