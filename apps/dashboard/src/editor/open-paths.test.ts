import { expect, test } from 'vitest';
import { pathsAfter } from './open-paths.ts';

test('a file that is opened comes last, and tabs that were not read yet stay', () => {
  expect(pathsAfter(['/a', '/b'], [], ['/b'])).toEqual(['/a', '/b']);
  expect(pathsAfter(['/a', '/b'], ['/b'], ['/b', '/c'])).toEqual(['/a', '/b', '/c']);
});

test('a text that is closed loses its tab', () => {
  expect(pathsAfter(['/a', '/b', '/c'], ['/b', '/c'], ['/c'])).toEqual(['/a', '/c']);
});

test('a moved file keeps the place of its tab', () => {
  expect(pathsAfter(['/a', '/b', '/c'], ['/b', '/c'], ['/x', '/c'])).toEqual(['/a', '/x', '/c']);
});

test('all at once stays right: one closed, one opened', () => {
  expect(pathsAfter(['/a', '/b'], ['/a', '/b'], ['/b', '/c'])).toEqual(['/b', '/c']);
});
