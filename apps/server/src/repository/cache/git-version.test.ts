import { expect, test } from 'vitest';
import { canMerge, notesOn } from './git-version.ts';

test('git can merge without a work tree from version 2.38 on, whatever suffix the version has', () => {
  const able = ['2.38.0', '2.39.5', '2.39.5 (Apple Git-154)', '2.100.1', '3.0.0', '2.44.0.windows.1'];
  const unable = ['2.37.9', '2.30.2', '1.99.0', 'unknown'];
  expect(able.filter((version) => !canMerge(version))).toEqual([]);
  expect(unable.filter(canMerge)).toEqual([]);
  expect(canMerge(null)).toBe(false);
});

test('an operator is warned of a git that is too old, and of no other', () => {
  expect(notesOn('2.39.5')).toEqual([]);
  expect(notesOn('2.30.2')).toEqual(['Git 2.30.2 is older than 2.38: branches can be merged only in a clone']);
});
