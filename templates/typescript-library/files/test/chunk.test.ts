import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunk } from '../src/index.ts';

test('a list is split, and the last part may be shorter', () => {
  assert.deepEqual(chunk([1, 2, 3, 4, 5], 2), [[1, 2], [3, 4], [5]]);
});

test('an empty list has no parts', () => {
  assert.deepEqual(chunk([], 3), []);
});

test('a size that cannot be one is refused', () => {
  for (const size of [0, -1, 1.5, Number.NaN]) assert.throws(() => chunk([1], size), RangeError);
});
