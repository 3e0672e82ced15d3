import { expect, test } from 'vitest';
import { differenceOf } from './difference.ts';

test.each([
  ['one two three', 'one 2 three', { from: 4, to: 7, insert: '2' }],
  ['aa', 'aaa', { from: 2, to: 2, insert: 'a' }],
  ['aaa', 'aa', { from: 2, to: 3, insert: '' }],
  ['', 'new', { from: 0, to: 0, insert: 'new' }],
  ['same', 'same', { from: 4, to: 4, insert: '' }],
])('one change turns %j into %j', (before, after, difference) => {
  expect(differenceOf(before, after)).toEqual(difference);
});
