import { expect, test } from 'vitest';
import { parseMergedTrees } from './merge-trees.ts';

const tree = '1'.repeat(40);
const sha = '2'.repeat(40);

test('ten thousand conflicts are read one after the other, and other work has its turn between any two', async () => {
  const paths = Array.from({ length: 9_900 }, (_, index) => `ä/${index}`);
  const sides = paths.flatMap((path) => [1, 2, 3].map((stage) => `100644 ${sha} ${stage}\t${path}`));
  const said = paths.flatMap((path) => ['1', path, 'CONFLICT (contents)', `CONFLICT (content): in ${path}\n`]);
  const answer = Buffer.from([tree, ...sides, '', ...said, ''].join('\0')).toString('latin1');
  let turns = 0;
  const maybeYield = async () => {
    turns++;
  };
  const merged = await parseMergedTrees(answer, { maybeYield });
  expect(merged.tree).toBe(tree);
  expect(merged.conflicts.map(({ path }) => path)).toEqual(paths);
  expect(turns).toBeGreaterThanOrEqual(sides.length + paths.length);
});

test('the first matching entry in the list of kinds decides, and messages that report no conflict do not count', async () => {
  const line = (stage: number, path: string) => `100644 ${sha} ${stage}\t${path}`;
  const said = [
    ['1', 'a', 'Auto-merging', 'Auto-merging a\n'],
    ['2', 'a', 'b', 'CONFLICT (modify/delete)', 'CONFLICT (modify/delete): …\n'],
    ['1', 'a', 'CONFLICT (rename/rename)', 'CONFLICT (rename/rename): …\n'],
  ];
  const parts = [tree, line(1, 'a'), line(2, 'a'), line(1, 'b'), line(3, 'c'), '', ...said.flat(), ''];
  const { conflicts } = await parseMergedTrees(parts.join('\0'), { maybeYield: async () => {} });
  expect(conflicts.map(({ path, kind }) => [path, kind])).toEqual([
    ['a', 'rename/rename'],
    ['b', 'modify/delete'],
    ['c', 'other'],
  ]);
});

test('a merge without conflicts has its tree, whether git prints messages or not', async () => {
  for (const rest of ['', '\0', '\x001\0a\0Auto-merging\0Auto-merging a\n\0']) {
    expect(await parseMergedTrees(`${tree}\0${rest}`, { maybeYield: async () => {} })).toEqual({ tree, conflicts: [] });
  }
});
