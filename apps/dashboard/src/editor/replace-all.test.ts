import { expect, test } from 'vitest';
import { replaceAll } from './replace-all.ts';

test('every match is replaced regardless of case, and neither text is treated as a pattern', () => {
  expect(replaceAll('Blue, blue.\r\nBLUEBLUE\r\n', 'blue', '$& red')).toEqual({
    text: '$& red, $& red.\r\n$& red$& red\r\n',
    count: 4,
  });
  expect(replaceAll('a.b a+b', 'a.b', '')).toEqual({ text: ' a+b', count: 1 });
});

test('a replacement that contains the search text is not replaced again', () => {
  expect(replaceAll('one', 'one', 'one one')).toEqual({ text: 'one one', count: 1 });
});

test('a text without a match stays unchanged', () => {
  expect(replaceAll('text', 'no', 'yes')).toEqual({ text: 'text', count: 0 });
  expect(replaceAll('text', '', 'yes')).toEqual({ text: 'text', count: 0 });
});

test('if lower-casing makes a text longer, only exact matches are replaced, at the right positions', () => {
  expect(replaceAll('İ Blue blue', 'blue', 'red')).toEqual({ text: 'İ Blue red', count: 1 });
});
