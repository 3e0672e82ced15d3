import { expect, test } from 'vitest';
import { jsonInSlices } from './json-in-slices.ts';

test.each([
  { files: [] },
  { files: [{ path: '/a', diff: '"\n' }, 1, null] },
  { sha: 'x', files: [1], note: undefined, nested: { files: [2] } },
])('an object in slices reads as it does in one piece', async (value) => {
  expect(JSON.parse(await jsonInSlices(value, 'files'))).toEqual(JSON.parse(JSON.stringify(value)));
});
