import { expect, test } from 'vitest';
import { newId } from '../ids.ts';
import { ownerOf } from './owner.ts';

const nodes = ['a', 'b', 'c'].map((id) => ({ id, address: `http://${id}` }));
const keys = Array.from({ length: 3_000 }, () => newId('prj'));

test('every node gets its share, in whichever order the nodes are known', () => {
  const owners = keys.map((key) => ownerOf(key, nodes)?.id);
  for (const { id } of nodes) expect(owners.filter((owner) => owner === id).length).toBeGreaterThan(800);
  expect(keys.map((key) => ownerOf(key, nodes.toReversed())?.id)).toEqual(owners);
});

test('where a node goes, only what was its own gets another owner', () => {
  const [, ...left] = nodes;
  const moved = keys.filter((key) => ownerOf(key, left) !== ownerOf(key, nodes));
  expect(moved.every((key) => ownerOf(key, nodes)?.id === 'a')).toBe(true);
  expect(ownerOf('prj_1', [])).toBeUndefined();
});
