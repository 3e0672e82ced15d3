import { expect, test } from 'vitest';
import { createMutex, createSemaphore } from './semaphore.ts';

test('a limited number of tasks runs at once, others follow in order, and one that fails makes room too', async () => {
  const inTurn = createSemaphore(2);
  const ends: PromiseWithResolvers<void>[] = [];
  const task = () => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  };
  const [one, two, three, four] = [inTurn(task), inTurn(task), inTurn(task), inTurn(task)];
  expect(ends).toHaveLength(2);
  ends[1]?.reject(new Error('failed'));
  await expect(two).rejects.toThrow('failed');
  await expect.poll(() => ends.length).toBe(3);
  ends[2]?.resolve();
  await three;
  await expect.poll(() => ends.length).toBe(4);
  ends[0]?.resolve();
  ends[3]?.resolve();
  await Promise.all([one, four]);
});

test('a mutex lets one task run at a time', async () => {
  const inTurn = createMutex();
  let running = 0;
  const max = await Promise.all(
    [1, 2, 3].map(() =>
      inTurn(async () => {
        running++;
        await new Promise(setImmediate);
        return running--;
      }),
    ),
  );
  expect(max).toEqual([1, 1, 1]);
});
