import { describe, expect, test } from 'vitest';
import { applyTo, suggestionIn } from './suggestions.ts';

describe('a suggestion in a comment', () => {
  test('is the text in its block', () => {
    expect(suggestionIn('Better:\n```suggestion\nconst a = 1;\n\n```\nbecause')).toEqual(['const a = 1;', '']);
    expect(suggestionIn('~~~~ suggestion\r\n```js\r\n~~~~')).toEqual(['```js']);
    expect(suggestionIn('```suggestion\n```')).toEqual([]);
  });

  test('is missing without a block of that name, or if the block has no end', () => {
    for (const body of ['suggestion', '```js\na\n```', '```suggestion\na']) expect(suggestionIn(body)).toBeNull();
  });
});

describe('suggestions for one text', () => {
  test('refer to the lines of the original text, in whatever order they come', () => {
    const text = 'a\nb\nc\nd\n';
    const replacements = [
      { start: 1, line: 1, lines: ['A', 'A2'] },
      { start: 3, line: 4, lines: ['CD'] },
    ];
    expect(applyTo(text, replacements)).toBe('A\nA2\nb\nCD\n');
    expect(applyTo(text, replacements.toReversed())).toBe('A\nA2\nb\nCD\n');
    expect(applyTo(text, [{ start: 2, line: 2, lines: [] }])).toBe('a\nc\nd\n');
  });

  test('keep the line endings of the text', () => {
    const text = 'a\r\nb\r\nc';
    expect(applyTo(text, [{ start: 1, line: 2, lines: ['A', 'B', ''] }])).toBe('A\r\nB\r\n\r\nc');
    expect(applyTo(text, [{ start: 2, line: 3, lines: ['B', 'C'] }])).toBe('a\r\nB\r\nC');
  });

  test('are refused if two change the same line', () => {
    const both = [
      { start: 1, line: 2, lines: ['x'] },
      { start: 2, line: 3, lines: ['y'] },
    ];
    expect(() => applyTo('a\nb\nc\n', both)).toThrow('the same lines');
  });
});
