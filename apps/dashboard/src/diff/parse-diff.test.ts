import { expect, test } from 'vitest';
import { parseDiff } from './parse-diff.ts';

test('every line has the numbers from its hunk, and the header is left out', () => {
  const diff = [
    '--- a/x.ts',
    '+++ b/x.ts',
    '@@ -3,3 +3,4 @@ function f()',
    ' same',
    '-gone',
    '+new',
    '+--- looks like a header',
    ' end',
    '\\ No newline at end of file',
    '',
  ].join('\n');
  expect(parseDiff(diff).map(({ kind, before, after }) => [kind, before, after])).toEqual([
    ['place', null, null],
    ['same', 3, 3],
    ['removed', 4, null],
    ['added', null, 4],
    ['added', null, 5],
    ['same', 5, 6],
    ['place', null, null],
  ]);
});
