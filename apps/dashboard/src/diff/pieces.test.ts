import { expect, test } from 'vitest';
import { parseDiff } from './parse-diff.ts';
import { piecesOf } from './pieces.ts';

const diff = (...lines: string[]) => parseDiff(['@@ -1,9 +1,9 @@', ...lines, ''].join('\n'));

test('the words that differ between two lines are marked in both', async () => {
  const pieces = await piecesOf(diff('-say hello to Ada', '+say hello to Bob'), '/a.unknown');
  const changed = pieces.map((line) => line.filter(({ isChanged }) => isChanged).map(({ text }) => text));
  expect(changed).toEqual([[], ['Ada'], ['Bob']]);
});

test('lines that have little in common have no marked words', async () => {
  const pieces = await piecesOf(diff('-Once upon a time.', '+It was a dark night.'), '/a.unknown');
  expect(pieces.flat().some(({ isChanged }) => isChanged)).toBe(false);
});

test('the pieces of a line add up to its text', async () => {
  const lines = diff(' const a = "b";', '-let x = 1; // one', '+let y = 12; // one', ' /* two', '  lines */ f();');
  const pieces = await piecesOf(lines, '/a.ts');
  expect(pieces.map((line) => line.map(({ text }) => text).join(''))).toEqual(lines.map(({ text }) => text));
});

test('a file has the colours of its language, even in comments that span several lines', async () => {
  const pieces = await piecesOf(diff(' const a = "b";', ' /* two', '  lines */'), '/a.ts');
  const looks = pieces.map((line) => line.filter(({ look }) => look).map(({ text, look }) => `${look} ${text}`));
  expect(looks[1]).toContain('code-keyword const');
  expect(looks[1]).toContain('code-string "b"');
  expect(looks[2]).toEqual(['code-comment /* two']);
  expect(looks[3]).toEqual(['code-comment  lines */']);
});
