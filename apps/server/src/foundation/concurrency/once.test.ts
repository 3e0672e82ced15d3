import { expect, test } from 'vitest';
import { once } from './once.ts';

test('a value is made at the first call, and only then', () => {
  let calls = 0;
  const made = once(() => ({ number: ++calls }));
  expect(calls).toBe(0);
  expect(made()).toBe(made());
  expect(calls).toBe(1);
});

test('a rejected promise is kept', async () => {
  let calls = 0;
  const failing = once(async () => {
    throw new Error(`call ${++calls}`);
  });
  await expect(failing()).rejects.toThrow('call 1');
  await expect(failing()).rejects.toThrow('call 1');
});
