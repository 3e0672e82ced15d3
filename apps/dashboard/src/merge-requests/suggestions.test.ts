import { expect, test } from 'vitest';
import { partsOf, suggestionBlock, suggestionDiff } from './suggestions.ts';

test('a comment is split at its suggestions, in order', () => {
  expect(partsOf('Better:\n\n```suggestion\none\n\ntwo\n```\nor\n```suggestion\n```')).toEqual([
    { kind: 'text', text: 'Better:\n' },
    { kind: 'suggestion', text: 'one\n\ntwo' },
    { kind: 'text', text: 'or' },
    { kind: 'suggestion', text: '' },
  ]);
});

test('other code blocks are text, and so is an unclosed suggestion', () => {
  for (const body of ['```ts\nlet a;\n```', 'No\n```suggestion\nopen']) {
    expect(partsOf(body)).toEqual([{ kind: 'text', text: body }]);
  }
});

test('a suggestion keeps code blocks within its lines', () => {
  const lines = '```sh\nnpm test\n```';
  expect(partsOf(suggestionBlock(lines))).toEqual([{ kind: 'suggestion', text: lines }]);
});

test('a suggestion is shown as a diff of the lines that it replaces', () => {
  expect(suggestionDiff('a\nb', 'c', 7)).toBe('@@ -7,2 +7,1 @@\n-a\n-b\n+c');
  expect(suggestionDiff('a', '', 1)).toBe('@@ -1,1 +1,0 @@\n-a');
});
