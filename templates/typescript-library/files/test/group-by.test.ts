import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupBy } from '../src/index.ts';

test('items are grouped in the order in which their keys were seen', () => {
  const groups = groupBy(['ant', 'bee', 'ape'], (word) => word.charAt(0));
  assert.deepEqual([...groups], [['a', ['ant', 'ape']], ['b', ['bee']]]);
});

test('anything that can be iterated is taken', () => {
  assert.deepEqual(groupBy(new Set([1, 2, 3]), (n) => n % 2 === 0).get(false), [1, 3]);
});
