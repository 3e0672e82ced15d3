import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { gatherStale } from './happening-queries.ts';
import { filesQuery, placeOf } from './project.ts';

test('main is the same branch whether a URL names it or not', () => {
  for (const ref of [undefined, '', 'main']) expect(placeOf('prj_1', ref)).toEqual({ projectId: 'prj_1' });
  expect(placeOf('prj_1', 'feature')).toEqual({ projectId: 'prj_1', branch: 'feature' });
});

test.each(['file.updated', 'repository.pushed'] as const)('%s makes the files of every branch stale', (type) => {
  vi.useFakeTimers();
  const client = new QueryClient();
  const keys = ['main', 'feature', 'top'].map((ref) => filesQuery(placeOf('prj_1', ref)).queryKey);
  const other = filesQuery(placeOf('prj_2', 'feature')).queryKey;
  for (const key of [...keys, other]) client.setQueryData(key, []);
  gatherStale((stale) => void client.invalidateQueries(stale)).heard({ type, projectId: 'prj_1' });
  vi.runAllTimers();
  vi.useRealTimers();
  expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(3);
  expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, true, true]);
  expect(client.getQueryState(other)?.isInvalidated).toBe(false);
});
