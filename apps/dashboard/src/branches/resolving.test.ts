import type { MergeConflict } from '@bottega/contract';
import { expect, test } from 'vitest';
import { countResolved, edited, firstDecision, isResolved, isText, resolutionsOf } from './resolving.ts';

const side = (content: string | null, mode = '100644') => ({ sha: '0'.repeat(40), mode, content });
const conflict: MergeConflict = {
  path: '/a.txt',
  kind: 'content',
  binary: false,
  base: side('1\n'),
  ours: side('2\n'),
  theirs: side('3\n'),
  merged: '<<<<<<< main\n2\n=======\n3\n>>>>>>> feature\n',
};

test('a conflict is open until its markers are gone or one side is chosen', () => {
  const first = firstDecision(conflict);
  expect(first).toEqual({ kind: 'open', text: conflict.merged });
  expect(isResolved(first)).toBe(false);
  expect(isResolved(edited('2\n=======\n3\n>>>>>>> feature\n'))).toBe(false);
  expect(isResolved(edited('2 and 3\n'))).toBe(true);
  expect(isResolved({ kind: 'theirs' })).toBe(true);
});

test('the request contains a content or a side for each resolved path', () => {
  const decisions = new Map([
    ['/a.txt', edited('both\n')],
    ['/b.txt', { kind: 'ours' } as const],
    ['/c.txt', firstDecision(conflict)],
  ]);
  expect(resolutionsOf(decisions)).toEqual([
    { path: '/a.txt', content: 'both\n' },
    { path: '/b.txt', take: 'ours' },
  ]);
  expect(countResolved([conflict, { ...conflict, path: '/c.txt' }], decisions)).toBe(1);
});

test('only text files can be resolved by hand', () => {
  expect(isText(conflict)).toBe(true);
  expect(isText({ ...conflict, kind: 'modify/delete', ours: null })).toBe(true);
  expect(isText({ ...conflict, binary: true })).toBe(false);
  expect(isText({ ...conflict, ours: side(null) })).toBe(false);
  expect(isText({ ...conflict, theirs: side('a', '120000') })).toBe(false);
  expect(isText({ ...conflict, ours: null, theirs: null })).toBe(false);
});
