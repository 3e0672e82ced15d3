import { expect, test } from 'vitest';
import { cutSnapshot } from './index.ts';

test.each([
  ['10:20:10,12,19', 15n, '10:15:10,12'],
  ['10:20:16,19', 15n, '15:15:'],
  ['10:20:10', 30n, '10:20:10'],
  ['20:20:', 12n, '12:12:'],
])('a snapshot %s that is cut at %s becomes %s', (snapshot, before, expected) => {
  expect(cutSnapshot(snapshot, before)).toBe(expected);
});

test.each([
  ['25:25:', 11n, '10:20:10', '20:20:'],
  ['25:25:', 11n, '10:20:10,15', '15:20:15'],
  ['12:30:12,26', 22n, '10:20:10,12', '12:22:12'],
])('a snapshot %s that is cut at %s keeps what was seen at %s, and becomes %s', (snapshot, before, since, expected) => {
  expect(cutSnapshot(snapshot, before, since)).toBe(expected);
});
