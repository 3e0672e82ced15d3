import { expect, test } from 'vitest';
import { rewritten } from './edits.ts';

const edit = (line: number, from: number, to: number, newText: string) => ({
  range: { start: { line, character: from }, end: { line, character: to } },
  newText,
});

test('all edits of a text refer to the text before them, whatever its line endings are', () => {
  const edits = [edit(0, 6, 7, 'long'), edit(1, 0, 1, 'long'), edit(1, 4, 5, 'long')];
  expect(rewritten('const a = 1;\na + a;\n', edits)).toBe('const long = 1;\nlong + long;\n');
  expect(rewritten('const a = 1;\r\na + a;\r\n', edits)).toBe('const long = 1;\r\nlong + long;\r\n');
});

test('an edit beyond the end is applied at the end', () => {
  expect(rewritten('a\n', [edit(9, 0, 0, 'b\n')])).toBe('a\nb\n');
});
