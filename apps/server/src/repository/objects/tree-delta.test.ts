import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns, fuzzSeed } from '../../testing/runner/thoroughness.ts';
import { hashObject } from './objects.ts';
import { applyDelta } from './pack-entries.ts';
import { treeDelta } from './tree-delta.ts';
import { encodeTree, type TreeEntry } from './trees.ts';

const entry = (name: string, text: string, mode = 0o100644): TreeEntry => ({
  ...{ name, mode, sha: hashObject('blob', Buffer.from(text)) },
});
const names = fc.constantFrom('a', 'a.b', 'a0', 'b', 'dir', 'dir.txt', 'z'.repeat(200), 'ü', '\0x'.slice(1));
const entries = fc
  .uniqueArray(fc.record({ name: names, text: fc.constantFrom('1', '2'), isDirectory: fc.boolean() }), {
    selector: ({ name }) => name,
  })
  .map((all) =>
    encodeTree(all.map(({ name, text, isDirectory }) => entry(name, text, isDirectory ? 0o40000 : 0o100644))),
  );

test('a delta can turn any tree into any other', () => {
  fc.assert(
    fc.property(entries, entries, (base, tree) => {
      const delta = treeDelta(base, tree, 1_000_000);
      expect(delta && applyDelta(base, delta)).toEqual(tree);
    }),
    { seed: fuzzSeed, numRuns: fuzzRuns(5_000, 500) },
  );
});

test('a delta of a large tree is as long as its changes, and is not made if these are many', () => {
  const all = Array.from({ length: 10_000 }, (_, n) => entry(`file${n}.ts`, String(n)));
  const base = encodeTree(all);
  const changed = all.toSpliced(5_000, 1).map((one) => (one.name === 'file77.ts' ? entry(one.name, 'new') : one));
  const tree = encodeTree([...changed, entry('added', 'x')]);
  const delta = treeDelta(base, tree, 4_096);
  expect(delta?.length).toBeLessThan(250);
  expect(delta && applyDelta(base, delta)).toEqual(tree);
  const other = encodeTree(all.map(({ name }, n) => entry(name, n % 20 === 0 ? 'new' : String(n))));
  expect(treeDelta(base, other, 4_096)).toBeNull();
});
