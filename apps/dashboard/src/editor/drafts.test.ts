import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { adoptDrafts, dropAllDrafts, keepDrafts, ownerOf } from './drafts.ts';

const main = ownerOf('usr_1', { projectId: 'prj_1' });
const feature = ownerOf('usr_1', { projectId: 'prj_1', branch: 'feature' });

// A browser that stores nothing.
beforeEach(() => {
  vi.stubGlobal('indexedDB', undefined);
  vi.stubGlobal('navigator', {});
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('each branch has its own drafts, and drafts of main keep their former key', () => {
  expect(main).toEqual({ userId: 'usr_1', projectId: 'prj_1' });
  expect(feature).toEqual({ userId: 'usr_1', projectId: 'prj_1 feature' });
});

test('drafts that cannot be stored are kept for their branch until they are dropped', async () => {
  const typed = { path: '/a', fileId: 'fil_1', stored: 'a', etag: '"1"', draft: 'typed' };
  await keepDrafts(feature, [typed]);
  expect(await adoptDrafts(main)).toEqual([]);
  expect(await adoptDrafts(feature)).toEqual([typed]);
  await keepDrafts(feature, []);
  expect(await adoptDrafts(feature)).toEqual([]);
  await keepDrafts(feature, [typed]);
  await dropAllDrafts();
  expect(await adoptDrafts(feature)).toEqual([]);
});
