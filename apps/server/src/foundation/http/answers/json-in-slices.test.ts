import { expect, test } from 'vitest';
import { jsonInSlices } from './json-in-slices.ts';

test.each([
  { files: [] },
  { files: [{ path: '/a', diff: '"\n' }, 1, null] },
  { sha: 'x', files: [1], note: undefined, nested: { files: [2] } },
])('an object that is written in slices is the same JSON as one written in one piece', async (value) => {
  expect(JSON.parse(await jsonInSlices(value, 'files'))).toEqual(JSON.parse(JSON.stringify(value)));
});
