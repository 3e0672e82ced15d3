import { expect, test } from 'vitest';
import { currentIn, hunksIn, indexAmong, linesOf, placesOn } from './hunks.ts';

const merged = [
  'one',
  '<<<<<<< main',
  'two on main',
  '=======',
  'two on feature',
  'and more',
  '>>>>>>> feature',
  'three',
  '<<<<<<< main',
  '||||||| base',
  'four',
  '=======',
  '4',
  '>>>>>>> feature',
];
const hunks = hunksIn(merged);

test('each conflict is found with its lines on both sides, even if git shows the base', () => {
  expect(hunks).toEqual([
    { from: 2, middle: 4, to: 7, ours: ['two on main'], theirs: ['two on feature', 'and more'] },
    { from: 9, middle: 12, to: 14, ours: [], theirs: ['4'] },
  ]);
});

test('an incomplete set of markers is plain text', () => {
  expect(hunksIn(['<<<<<<< main', 'a', '>>>>>>> feature'])).toEqual([]);
  expect(hunksIn(['=======', '>>>>>>> feature'])).toEqual([]);
  const nested = hunksIn(['<<<<<<< main', '<<<<<<< main', 'a', '=======', 'b', '>>>>>>> feature']);
  expect(nested).toEqual([{ from: 2, middle: 4, to: 6, ours: ['a'], theirs: ['b'] }]);
});

test('a choice takes the lines of one side, or of both sides with ours first', () => {
  const [first] = hunks;
  if (!first) throw new Error('no conflict');
  expect(linesOf(first, 'ours')).toEqual(['two on main']);
  expect(linesOf(first, 'theirs')).toEqual(['two on feature', 'and more']);
  expect(linesOf(first, 'both')).toEqual(['two on main', 'two on feature', 'and more']);
});

test('the current conflict is at the cursor or the next after it, or the first again after the last', () => {
  expect([1, 7, 8, 15].map((line) => currentIn(hunks, line))).toEqual([0, 0, 1, 0]);
  expect(currentIn([], 3)).toBe(-1);
});

test('a conflict keeps its identity after the conflicts before it are resolved', () => {
  const [rest] = hunksIn(['one', 'two', ...merged.slice(7)]);
  if (!rest) throw new Error('no conflict');
  expect(indexAmong(hunks, rest)).toBe(1);
  expect(indexAmong(hunks, { ...rest, ours: ['edited'] })).toBe(-1);
});

test('the lines of a conflict are found on their side in order, whatever the distance between them', () => {
  const side = 'zero\none\ntwo on feature\r\nand more\nthree\n4\n';
  expect(
    placesOn(
      side,
      hunks.map(({ theirs }) => theirs),
    ),
  ).toEqual([
    { from: 3, to: 4 },
    { from: 6, to: 6 },
  ]);
  expect(
    placesOn(
      side,
      hunks.map(({ ours }) => ours),
    ),
  ).toEqual([null, null]);
});
