import { expect, test, vi } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { onceNot } from './once-not.ts';

test('the result is true for good once the answer is no, and false while it is yes, unknown or missing', async () => {
  const answers: (() => Promise<boolean>)[] = [
    () => Promise.resolve(true),
    () => Promise.reject(new Error('away')),
    () => Promise.resolve(false),
  ];
  let asked = 0;
  const isSo = onceNot(() => answers[asked++]?.() ?? Promise.resolve(true));
  const now = vi.spyOn(Date, 'now');
  try {
    for (const [turn, at] of [100_000, 200_000].entries()) {
      now.mockReturnValue(at);
      expect([isSo(), isSo()]).toEqual([false, false]);
      expect(asked).toBe(turn + 1);
      await Promise.resolve();
    }
    now.mockReturnValue(300_000);
    expect(isSo()).toBe(false);
  } finally {
    now.mockRestore();
  }
  await waitFor('the answer is there', () => isSo());
  const before = asked;
  expect([isSo(), asked]).toEqual([true, before]);
});
