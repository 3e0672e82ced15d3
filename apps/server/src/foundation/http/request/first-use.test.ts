import { expect, test } from 'vitest';
import { compileAll, onFirstUse } from './first-use.ts';

function counted() {
  const calls: string[] = [];
  return { calls, make: (name: string) => onFirstUse(() => calls.push(name)) };
}

test('a function that was used is not compiled again, and an unused one is compiled in the background', async () => {
  const { calls, make } = counted();
  const [first] = [make('first'), make('second')];
  first?.();
  await compileAll(new AbortController().signal);
  first?.();
  expect(calls).toEqual(['first', 'second']);
});

test('a node that is stopping compiles no more functions', async () => {
  const { calls, make } = counted();
  make('first');
  make('second');
  await compileAll(AbortSignal.abort());
  expect(calls).toEqual(['first']);
});
