import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { array, assert, boolean, constantFrom, integer, property, record, sample, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns } from '../../testing/runner/thoroughness.ts';
import { useGitRepository } from './git-repository.fixture.ts';
import { hashObject } from './objects.ts';
import { TreeError } from './tree-bytes.ts';
import { editTrees, type TreeChange } from './tree-edit.ts';
import { decodeTree, encodeTree, isDirectoryMode } from './trees.ts';

const { directory, runScript } = useGitRepository();
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

// Few names, so that files and directories often collide at one path.
const path = array(constantFrom('a', 'b', 'a.b', 'a-'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const change = record({
  path,
  isRemoval: boolean(),
  mode: constantFrom(0o100644, 0o100755, 0o120000),
  content: integer({ min: 1, max: 9 }),
}).map(({ path, isRemoval, mode, content }): TreeChange => {
  return { path, entry: isRemoval ? null : { mode, sha: Buffer.alloc(20, content) } };
});

/** All directories and files below a tree, found only from the root. */
function walk(trees: ReadonlyMap<string, Buffer>, directory = ''): { directories: string[]; files: string[] } {
  const found = { directories: [directory], files: [] as string[] };
  const content = trees.get(directory);
  if (!content) throw new Error(`${directory} is not there`);
  for (const { name, mode, sha } of decodeTree(content)) {
    const at = directory ? `${directory}/${name}` : name;
    if (!isDirectoryMode(mode)) {
      found.files.push(at);
      continue;
    }
    expect(hashObject('tree', trees.get(at) as Buffer)).toEqual(sha);
    const below = walk(trees, at);
    found.directories.push(...below.directories);
    found.files.push(...below.files);
  }
  return found;
}

/**
 * Drops changes that git's index cannot express: removing a directory as if it were a file, or two new entries at one
 * path.
 */
function meaningful(changes: readonly TreeChange[], trees: ReadonlyMap<string, Buffer>): TreeChange[] {
  const last = new Map(changes.map((each) => [each.path, each]));
  const added = [...last.values()].filter(({ entry }) => entry).map((each) => each.path);
  return [...last.values()].filter(({ path, entry }) =>
    entry ? !added.some((other) => path.startsWith(`${other}/`)) : !trees.has(path),
  );
}

/** Rows for git's index: the new entry of each path, or its removal. */
const indexRows = (changes: readonly TreeChange[]): string =>
  changes
    .map(({ path, entry }) =>
      entry ? `${entry.mode.toString(8)} ${entry.sha.toString('hex')}\t${path}\0` : `0 ${'0'.repeat(40)}\t${path}\0`,
    )
    .join('');

/** Applies one sequence of changes. Returns the index rows of each batch and the resulting root. */
function follow(batches: TreeChange[][]): { rows: string; root: string }[] {
  const trees = new Map<string, Buffer>();
  return batches.map((batch) => {
    const changes = meaningful(batch, trees);
    const { root, written, removed } = editTrees(trees, changes);
    for (const directory of removed) expect(trees.delete(directory)).toBe(true);
    for (const tree of written) {
      expect(hashObject('tree', tree.content)).toEqual(tree.sha);
      expect(trees.get(tree.path)?.equals(tree.content)).not.toBe(true);
      trees.set(tree.path, tree.content);
    }
    if (!root) trees.delete('');
    expect(new Set(root ? walk(trees).directories : [])).toEqual(new Set(trees.keys()));
    return { rows: indexRows(changes), root: root?.sha.toString('hex') ?? emptyTree };
  });
}

/** Each sequence has its own index, and each of its batches a file. */
const writeTrees = `for rows in $(seq -f 'rows-%.0f' "$1"); do
  export GIT_INDEX_FILE="$(cat "$rows-index")"
  git update-index --add --replace -z --index-info < "$rows" && git write-tree --missing-ok
done`;

test('sequences of changes produce the same trees as git update-index and write-tree', () => {
  const sequences = array(array(change, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 5 });
  const steps = sample(sequences, { numRuns: fuzzRuns(300, 30), seed: 1 }).flatMap((batches, sequence) =>
    follow(batches).map((step) => ({ ...step, sequence })),
  );
  for (const [index, { rows, sequence }] of steps.entries()) {
    writeFileSync(join(directory, `rows-${index + 1}`), rows);
    writeFileSync(join(directory, `rows-${index + 1}-index`), `index-${sequence}`);
  }
  expect(
    runScript(writeTrees, [String(steps.length)])
      .trim()
      .split('\n'),
  ).toEqual(steps.map(({ root }) => root));
});

test('children are written before their parents', () => {
  assert(
    property(array(tuple(path, integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 20 }), (list) => {
      const all = list.map(([at, id]) => ({ path: at, entry: { mode: 0o100644, sha: Buffer.alloc(20, id) } }));
      const { written } = editTrees(new Map(), meaningful(all, new Map()));
      const seen = new Set<string>();
      for (const tree of written) {
        for (const { name, mode } of decodeTree(tree.content)) {
          if (isDirectoryMode(mode)) expect(seen).toContain(tree.path ? `${tree.path}/${name}` : name);
        }
        seen.add(tree.path);
      }
      expect(written.at(-1)?.path).toBe('');
    }),
    { numRuns: 300, seed: 2 },
  );
});

const file = (id: number) => ({ mode: 0o100644, sha: Buffer.alloc(20, id) });

/** The trees of a first set of files. */
function treesOf(paths: readonly string[]): Map<string, Buffer> {
  const { written } = editTrees(
    new Map(),
    paths.map((path) => ({ path, entry: file(1) })),
  );
  return new Map(written.map((tree) => [tree.path, tree.content]));
}

test('a directory that becomes empty disappears, as do its parents that contained nothing else', () => {
  const trees = treesOf(['a/b/c/file', 'x']);
  const { root, written, removed } = editTrees(trees, [{ path: 'a/b/c/file', entry: null }]);
  expect(removed.sort()).toEqual(['a', 'a/b', 'a/b/c']);
  expect(written.map((tree) => tree.path)).toEqual(['']);
  expect(root?.content).toEqual(encodeTree([{ name: 'x', ...file(1) }]));
  expect(editTrees(treesOf(['a/b']), [{ path: 'a/b', entry: null }])).toEqual({
    root: null,
    written: [],
    removed: ['a'],
  });
});

test('changes without an effect write no tree', () => {
  const trees = treesOf(['a/b', 'c']);
  const root = { sha: hashObject('tree', trees.get('') as Buffer), content: trees.get('') };
  const nothing = { root, written: [], removed: [] };
  expect(editTrees(trees, [])).toEqual(nothing);
  expect(editTrees(trees, [{ path: 'a/b', entry: file(1) }])).toEqual(nothing);
  expect(editTrees(trees, [{ path: 'no/such/file', entry: null }])).toEqual(nothing);
  expect(editTrees(trees, [{ path: 'c/below-a-file', entry: null }])).toEqual(nothing);
  expect(editTrees(new Map(), [])).toEqual({ root: null, written: [], removed: [] });
});

test('a change to a directory itself drops its content, and changes below it start from an empty directory', () => {
  const trees = treesOf(['a/b/one', 'a/two', 'x']);
  const whole = editTrees(trees, [{ path: 'a', entry: null }]);
  expect(whole.root?.content).toEqual(encodeTree([{ name: 'x', ...file(1) }]));
  expect(whole.removed.sort()).toEqual(['a', 'a/b']);
  const again = editTrees(trees, [
    { path: 'a', entry: null },
    { path: 'a/b/three', entry: file(3) },
  ]);
  expect(again.written.map((tree) => tree.path)).toEqual(['a/b', 'a', '']);
  expect(again.written[0]?.content).toEqual(encodeTree([{ name: 'three', ...file(3) }]));
  expect(decodeTree(again.written[1]?.content as Buffer).map((entry) => entry.name)).toEqual(['b']);
  expect(again.removed).toEqual([]);
});

test('a subtree is moved as a whole by its id', () => {
  const trees = treesOf(['a/b/one', 'x']);
  const subtree = { mode: 0o040000, sha: hashObject('tree', trees.get('a') as Buffer) };
  const { root, removed } = editTrees(trees, [
    { path: 'a', entry: null },
    { path: 'moved', entry: subtree },
  ]);
  expect(root?.sha).toEqual(hashObject('tree', treesOf(['moved/b/one', 'x']).get('') as Buffer));
  expect(removed.sort()).toEqual(['a', 'a/b']);
});

test('a path cannot become a file and a directory at the same time', () => {
  const both = ['a', 'a/b'].map((path) => ({ path, entry: file(1) }));
  expect(() => editTrees(new Map(), both)).toThrow(TreeError);
  expect(() => editTrees(new Map(), both.reverse())).toThrow(expect.objectContaining({ reason: 'conflict' }));
});
