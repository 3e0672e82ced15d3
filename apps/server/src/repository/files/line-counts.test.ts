import { expect, test } from 'vitest';
import { commit, newPlace } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { diffTrees, findTip, largestCompared } from '../store/index.ts';
import { countLines } from './line-counts.ts';

const service = useTestService();

test('lines are counted until the contents reach the limit, and the files after that have no counts', async () => {
  const place = await newPlace(service);
  await commit(place, [{ action: 'create', path: '/a.txt', content: 'one\ntwo\n' }]);
  const tip = await findTip(service.db, place.projectId, 'main');
  const { files } = await diffTrees(service.db, place.projectId, null, tip?.tree_sha ?? null);
  const many = Array.from({ length: 200 }, () => ({ ...files[0], before: null, after: files[0]?.after ?? null }));
  const counted = async (size: number) =>
    countLines(service.db, place.projectId, many, (side) => (side ? size : 0)).then((counts) =>
      many.map((one) => counts.get(one)?.additions),
    );
  expect(new Set(await counted(8))).toEqual(new Set([2]));
  // As if each had the largest size: 32 MiB are 128 of them.
  expect(await counted(largestCompared)).toEqual([...Array(128).fill(2), ...Array(72).fill(undefined)]);
  expect(new Set(await counted(largestCompared + 1))).toEqual(new Set([undefined]));
});
