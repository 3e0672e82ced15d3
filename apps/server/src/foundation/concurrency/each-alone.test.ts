import { expect, test } from 'vitest';
import { eachAlone } from './each-alone.ts';

test('every item is processed even if some fail, and the failures are reported at the end', async () => {
  const done: number[] = [];
  const all = eachAlone([1, 2, 3, 4], async (item) => {
    if (item % 2 === 0) throw new Error(`no ${item}`);
    done.push(item);
  });
  await expect(all).rejects.toMatchObject({ errors: [new Error('no 2'), new Error('no 4')] });
  expect(done).toEqual([1, 3]);
});
