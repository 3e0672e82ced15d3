import { expect, test } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

const numbered = (count: number, change: Record<number, string> = {}) =>
  `${Array.from({ length: count }, (_, index) => change[index + 1] ?? `line ${index + 1}`).join('\n')}\n`;

test('a change is shown with three lines of context', () => {
  expect(unifiedDiff(numbered(9), numbered(9, { 5: 'five' })).split('\n')).toEqual([
    '@@ -2,7 +2,7 @@',
    ' line 2',
    ' line 3',
    ' line 4',
    '-line 5',
    '+five',
    ' line 6',
    ' line 7',
    ' line 8',
  ]);
});

test('distant changes have separate hunks, and close changes share a hunk', () => {
  expect(unifiedDiff(numbered(40), numbered(40, { 2: 'two', 6: 'six', 30: 'thirty' })).match(/^@@.*$/gm)).toEqual([
    '@@ -1,9 +1,9 @@',
    '@@ -27,7 +27,7 @@',
  ]);
});

test.each([
  ['', 'a\nb\n', '@@ -1,0 +1,2 @@\n+a\n+b'],
  ['a\nb\n', '', '@@ -1,2 +1,0 @@\n-a\n-b'],
  ['a\n', 'a\nb\n', '@@ -1,1 +1,2 @@\n a\n+b'],
  ['a\r\nb\r\n', 'a\r\nc\r\n', '@@ -1,2 +1,2 @@\n a\n-b\n+c'],
  ['a\n', 'a\n', ''],
])('the texts %j and %j have the expected diff', (before, after, diff) => {
  expect(unifiedDiff(before, after)).toBe(diff);
});
