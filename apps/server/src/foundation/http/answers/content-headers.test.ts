import { expect, test } from 'vitest';
import { namesEtag, wantedRange } from './content-headers.ts';

test.each([
  ['bytes=0-4', { first: 0, last: 4 }],
  ['bytes=5-', { first: 5, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-30', { first: 0, last: 9 }],
  ['bytes=8-100', { first: 8, last: 9 }],
  ['bytes=10-', 'outside'],
  ['bytes=-0', 'outside'],
  ['bytes=4-2', null],
  ['bytes=0-1,3-4', null],
  ['bytes=-', null],
  ['lines=1-2', null],
  [undefined, null],
])('of ten bytes, the range %s is %j', (range, expected) => {
  expect(wantedRange({ range }, undefined, 10)).toEqual(expected);
});

test('every range of empty content is outside', () => {
  expect(wantedRange({ range: 'bytes=0-' }, undefined, 0)).toBe('outside');
});

test('a range counts only while If-Range still names the content', () => {
  expect(wantedRange({ range: 'bytes=0-4', 'if-range': '"a"' }, '"a"', 10)).toEqual({ first: 0, last: 4 });
  expect(wantedRange({ range: 'bytes=0-4', 'if-range': '"b"' }, '"a"', 10)).toBeNull();
});

test('a header matches content by its ETag, weak or not, in a list, or by a star', () => {
  expect(['"a"', 'W/"a"', '"b", "a"', ' * '].map((header) => namesEtag(header, '"a"'))).toEqual(Array(4).fill(true));
  expect(namesEtag('"b"', '"a"')).toBe(false);
});
