import { describe, expect, test } from 'vitest';
import { merge } from './merge.ts';
import { isSafePath } from './paths.ts';
import { decide } from './sync.ts';

describe('two changes of one text', () => {
  const base = 'one\ntwo\nthree\nfour\n';

  test.each([
    [
      'of different lines are both made',
      'ONE\ntwo\nthree\nfour\n',
      'one\ntwo\nthree\nFOUR\n',
      'ONE\ntwo\nthree\nFOUR\n',
    ],
    ['at beginning and end are both made', `zero\n${base}`, `${base}five\n`, `zero\n${base}five\n`],
    ['of one line are a conflict', 'one\nTWO\nthree\nfour\n', 'one\n2\nthree\nfour\n', undefined],
    [
      'of neighbouring lines are both made',
      'one\nTWO\nthree\nfour\n',
      'one\ntwo\nTHREE\nfour\n',
      'one\nTWO\nTHREE\nfour\n',
    ],
    ['at one place are a conflict', 'one\nhere\ntwo\nthree\nfour\n', 'one\nthere\ntwo\nthree\nfour\n', undefined],
  ])('%s', (_what, here, there, merged) => {
    expect([merge(base, here, there), merge(base, there, here)]).toEqual([merged, merged]);
  });

  test('are both made if the text begins with an empty line and one of them is before it', () => {
    const [empty, here, there] = [`\n${base}`, `zero\n\n${base}`, `\n${base.replace('four', 'FOUR')}`];
    const merged = `zero\n\n${base.replace('four', 'FOUR')}`;
    expect([merge(empty, here, there), merge(empty, there, here)]).toEqual([merged, merged]);
  });
});

describe('when the two sides of a file are compared,', () => {
  test.each([
    ['the same stays', 'a', 'b', 'b', { result: 'b' }],
    ['a change there is taken', 'a', 'a', 'b', { result: 'b' }],
    ['a change here is sent', 'a', 'b', 'a', { result: 'b' }],
    ['a deletion there is made here', 'a', 'a', null, { result: null }],
    ['a deletion here is made there', 'a', null, 'a', { result: null }],
    ['a deletion gives way to a change there', 'a', null, 'b', { result: 'b' }],
    ['a deletion gives way to a change here', 'a', 'b', null, { result: 'b' }],
    ['of two changes, that of here is kept beside', 'a', 'b', 'c', { result: 'c', keep: 'b' }],
    [
      'of two texts nobody knows the past of, that of here is kept beside',
      undefined,
      'b',
      'c',
      { result: 'c', keep: 'b' },
    ],
    ['what is only here is sent', undefined, 'b', null, { result: 'b' }],
    ['what is only there is taken', undefined, null, 'c', { result: 'c' }],
  ])('%s', (_what, base, here, there, decision) => expect(decide(base, here, there, true)).toEqual(decision));

  test('a user who may only read loses nothing and sends nothing', () => {
    expect(decide('a', 'b', 'a', false)).toEqual({ result: 'a', keep: 'b' });
    expect(decide('a', null, 'a', false)).toEqual({ result: 'a' });
    expect(decide(undefined, 'b', null, false)).toEqual({ result: null, keep: 'b' });
  });
});

test.each([
  ...[
    '/../x',
    '/a/../../x',
    '//etc/passwd',
    '/a//b',
    '/.git/hooks/post-checkout',
    '/a/.GIT/config',
    '/.git./config',
    '/.g\u200cit/config',
  ],
  ...['/.btg/project.json', 'a', '/', '/a\\..\\b', '/a\0', '/./a', '/a.btg-0123456789ab', '/a.local-20260101T000000Z'],
])('the path %j is never written', (path) => expect(isSafePath(path)).toBe(false));

test.each(['/a', '/src/main.ts', '/.gitignore', '/.github/x', '/a..b', '/...x'])('the path %j may be written', (path) =>
  expect(isSafePath(path)).toBe(true),
);
