import { expect, test } from 'vitest';
import { inBlocks, placeOf, rowsOf } from './diff-rows.ts';
import { parseDiff } from './parse-diff.ts';

const lines = parseDiff(['@@ -1,4 +1,4 @@', ' a', '-b', '-c', '+B', ' d', '+e', ''].join('\n'));
const texts = (view: 'unified' | 'split') =>
  rowsOf(lines, view).map(({ left, right }) => [left, right].map((at) => (at === null ? null : lines[at]?.text)));

test('in the unified view, every line is a row', () => {
  expect(texts('unified').map(([, text]) => text)).toEqual(['@@ -1,4 +1,4 @@', 'a', 'b', 'c', 'B', 'd', 'e']);
});

test('in the split view, removed lines are next to the added lines that replace them', () => {
  expect(texts('split')).toEqual([
    [null, '@@ -1,4 +1,4 @@'],
    ['a', 'a'],
    ['b', 'B'],
    ['c', null],
    ['d', 'd'],
    [null, 'e'],
  ]);
});

test('a comment on a removed line belongs to the left side, and on any other line to the right side', () => {
  expect(lines.map(placeOf)).toEqual([
    null,
    { side: 'RIGHT', line: 1 },
    { side: 'LEFT', line: 2 },
    { side: 'LEFT', line: 3 },
    { side: 'RIGHT', line: 2 },
    { side: 'RIGHT', line: 3 },
    { side: 'RIGHT', line: 4 },
  ]);
});

test('blocks contain all rows in their order', () => {
  const rows = rowsOf(parseDiff(`@@ -0,0 +1,500 @@\n${'+x\n'.repeat(500)}`), 'unified');
  expect(inBlocks(rows).flat()).toEqual(rows);
});
