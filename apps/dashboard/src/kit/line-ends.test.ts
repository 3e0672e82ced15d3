import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { lineEndsOf } from './line-ends.ts';

test.each([
  ['LF', 'one\ntwo\n'],
  ['CRLF', 'one\r\n\r\ntwo\r\n'],
  ['CRLF without an end', 'one\r\ntwo'],
  ['both', 'one\r\ntwo\nthree\r\n'],
  ['CR alone', 'one\rtwo\r'],
  ['none', 'one'],
])('a text keeps its line endings: %s', (_kind, text) => {
  const ends = lineEndsOf(text);
  const { doc } = EditorState.create({ doc: text, extensions: [ends.extension] });
  expect(ends.textOf(doc)).toBe(text);
});
