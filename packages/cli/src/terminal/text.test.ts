import { expect, test } from 'vitest';
import { agoInWords, coloursFor, details, printable, sizeInWords, table, visibleJson } from './text.ts';

const plain = coloursFor(false);

test.each([
  ['a cursor that moves', 'a\u001b[2Jb\u001b[1;1Hc', 'abc'],
  ['a title and a clipboard', 'a\u001b]0;title\u0007b\u001b]52;c;aGk=\u001b\\c', 'abc'],
  ['line ends and bells', 'a\r\nb\u0007c', 'abc'],
  ['a C1 introducer', 'a\u009b2Jb', 'a2Jb'],
  ['another order of reading', 'a\u202eb\u2066c', 'abc'],
  ['colours', '\u001b[31mred\u001b[0m', 'red'],
])('text from others cannot bring %s to the terminal', (_what, text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('a log may keep its colours and nothing else, and its colours end with its line', () => {
  expect(printable('\u001b[8mhidden', { keepColours: true })).toBe('\u001b[8mhidden\u001b[0m');
  expect(printable('\u001b[31mred\u001b[0m\u001b[2J', { keepColours: true })).toBe('\u001b[31mred\u001b[0m');
});

test('JSON shows control characters as escapes, and remains the same data', () => {
  const data = { name: 'a\u001b[2Jb\u009bc\u202ed\u007f' };
  const json = visibleJson(JSON.stringify(data, null, 2));
  expect(json).not.toMatch(/[^\n -~]/);
  expect(JSON.parse(json)).toEqual(data);
});

test('columns are as wide as their widest cell', () => {
  expect(
    table(
      ['ID', 'NAME'],
      [
        ['prj_1', 'a'],
        ['p', 'bc'],
      ],
      plain,
    ),
  ).toBe('ID     NAME\nprj_1  a\np      bc');
  expect(
    details([
      ['id', 'prj_1'],
      ['live', null],
      ['project', 'x'],
    ]),
  ).toBe('id       prj_1\nproject  x');
});

test('sizes and times are shown in a single unit', () => {
  expect([0, 1023, 1024, 150_000, 5_000_000].map(sizeInWords)).toEqual([
    '0 B',
    '1023 B',
    '1.0 KiB',
    '146 KiB',
    '4.8 MiB',
  ]);
  const now = Date.parse('2026-01-02T00:00:00Z');
  expect(agoInWords('2026-01-01T22:30:00Z', now)).toBe('1 h ago');
  expect(agoInWords('2026-01-02T00:00:00Z', now)).toBe('0 s ago');
  expect(agoInWords(null)).toBe('never');
});
