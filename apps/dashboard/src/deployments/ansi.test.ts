import { describe, expect, test } from 'vitest';
import { marked, piecesOf, withoutEscapes } from './ansi.ts';

const esc = '\u001b';

describe('a line with escape sequences', () => {
  test('is split where its style changes, and the style continues into the next line', () => {
    const first = piecesOf(`${esc}[1;31mError:${esc}[22m no ${esc}[0mway ${esc}[4;92mout`);
    expect(first.pieces).toEqual([
      { text: 'Error:', look: { bold: true, colour: 1 } },
      { text: ' no ', look: { colour: 1 } },
      { text: 'way ', look: {} },
      { text: 'out', look: { underlined: true, colour: 10 } },
    ]);
    const second = piecesOf(`still${esc}[m done`, first.look);
    expect(second.pieces).toEqual([
      { text: 'still', look: { underlined: true, colour: 10 } },
      { text: ' done', look: {} },
    ]);
  });

  test.each([
    ['38;5;9', { colour: 9 }],
    ['38;5;196', { colour: 9 }],
    ['38;5;22', { colour: 2 }],
    ['38;5;240', { colour: 8 }],
    ['38;2;10;10;200', { colour: 4 }],
    ['48;2;250;240;20;1', { ground: 11, bold: true }],
    ['38:2:0:180:180', { colour: 6 }],
    ['97;42', { colour: 15, ground: 2 }],
    ['38;7;1', { inverse: true, bold: true }],
    ['999', {}],
  ])('is mapped to the sixteen colours: %s', (codes, look) => {
    expect(piecesOf(`${esc}[${codes}mx`).pieces).toEqual([{ text: 'x', look }]);
  });

  test('loses the sequences that move the cursor, set a title or link, and keeps the text', () => {
    const line = `${esc}[2K${esc}[1G${esc}]0;title\u0007a${esc}]8;;https://example.com${esc}\\b${esc}]8;;${esc}\\${esc}[3`;
    expect(piecesOf(line).pieces.map(({ text }) => text)).toEqual(['a', 'b', `${esc}[3`]);
    expect(withoutEscapes(`${esc}[32mok${esc}[0m`)).toBe('ok');
  });
});

describe('a search term', () => {
  test('is marked everywhere, across changes of style and regardless of case', () => {
    const { pieces } = piecesOf(`a${esc}[31mbC${esc}[0mabc`);
    expect(marked(pieces, 'ABC').map(({ text, isFound }) => [text, isFound])).toEqual([
      ['a', true],
      ['bC', true],
      ['abc', true],
    ]);
    expect(marked(pieces, 'b').map(({ text, isFound }) => [text, isFound])).toEqual([
      ['a', false],
      ['b', true],
      ['C', false],
      ['a', false],
      ['b', true],
      ['c', false],
    ]);
    expect(marked(pieces, '').every(({ isFound }) => !isFound)).toBe(true);
  });
});
