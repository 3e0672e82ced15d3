import {
  array,
  assert,
  constantFrom,
  dictionary,
  oneof,
  option,
  property,
  record,
  string,
  uint8Array,
} from 'fast-check';
import { expect, test } from 'vitest';
import { cpuMsOf } from '../../testing/parts/cpu-time.ts';
import { fuzzRuns } from '../../testing/runner/thoroughness.ts';
import { useGitRepository } from './git-repository.fixture.ts';
import { hashObject } from './objects.ts';
import { TreeError } from './tree-bytes.ts';
import { findTreeEntry } from './tree-lookup.ts';
import { decodeTree, editTree, encodeTree, type TreeEntry } from './trees.ts';

const { git, line } = useGitRepository();

const sha = uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => Buffer.from(bytes));
const mode = constantFrom(0o100644, 0o100755, 0o040000, 0o120000, 0o160000);
// Short names of few characters collide and are prefixes of each other. The others cover all of Unicode.
const name = oneof(
  string({
    unit: constantFrom('a', 'b', '.', '-', '/', '0', 'é', '\u{1f600}', '\u{ffff}'),
    minLength: 1,
    maxLength: 3,
  }),
  string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
)
  .map((text) => text.replaceAll(/[/\0]/g, '_'))
  .filter((text) => !/^\.\.?$|^\.git$/i.test(text) && text.isWellFormed());
const edit = record({ mode, sha });
const entries = dictionary(name, edit, { maxKeys: 30, noNullPrototype: true }).map((all) =>
  Object.entries(all).map(([key, value]): TreeEntry => ({ name: key, ...value })),
);
const types = new Map([
  [0o040000, 'tree'],
  [0o160000, 'commit'],
]);

function mktree(all: readonly TreeEntry[]): string {
  const rows = all.map(
    (entry) =>
      `${entry.mode.toString(8).padStart(6, '0')} ${types.get(entry.mode) ?? 'blob'} ${entry.sha.toString('hex')}\t${entry.name}\0`,
  );
  return line(['mktree', '-z', '--missing'], rows.join(''));
}

test('a tree has the id that git mktree gives it, and is decoded to its original entries', () => {
  assert(
    property(entries, (all) => {
      const content = encodeTree(all);
      expect(hashObject('tree', content).toString('hex')).toBe(mktree(all));
      const byName = (a: TreeEntry, b: TreeEntry) => (a.name < b.name ? -1 : 1);
      expect(decodeTree(content).sort(byName)).toEqual([...all].sort(byName));
    }),
    { numRuns: fuzzRuns(300, 15), seed: 1 },
  );
});

test('an edited tree is identical to the tree encoded from the edited entries', () => {
  assert(
    property(entries, array(record({ name, edit: option(edit) }), { maxLength: 10 }), (all, list) => {
      const edits = new Map(list.map((item) => [item.name, item.edit]));
      const kept = all.filter((entry) => !edits.has(entry.name));
      for (const [key, value] of edits) if (value) kept.push({ name: key, ...value });
      expect(editTree(encodeTree(all), edits)).toEqual(encodeTree(kept));
    }),
    { numRuns: fuzzRuns(2_000, 400), seed: 2 },
  );
});

test('an entry is found by its name in every tree, whether a file or a directory', () => {
  assert(
    property(entries, name, (all, other) => {
      const content = encodeTree(all);
      for (const entry of all) expect(findTreeEntry(content, entry.name)).toEqual({ mode: entry.mode, sha: entry.sha });
      if (!all.some((entry) => entry.name === other)) expect(findTreeEntry(content, other)).toBeUndefined();
    }),
    { numRuns: fuzzRuns(2_000, 200), seed: 3 },
  );
});

test('a large tree that was edited many times is still searched and edited correctly', () => {
  const id = Buffer.alloc(20, 7);
  const all = new Map(Array.from({ length: 1_000 }, (_, i) => [`file${i}.ts`, { mode: 0o100644, sha: id }]));
  const encoded = () => encodeTree([...all].map(([key, entry]) => ({ name: key, ...entry })));
  let tree = encoded();
  assert(
    property(array(record({ name, edit: option(edit) }), { minLength: 1, maxLength: 4 }), (list) => {
      const edits = new Map(list.map((item) => [item.name, item.edit]));
      for (const [key, entry] of edits) if (entry) all.set(key, entry);
      for (const [key, entry] of edits) if (!entry) all.delete(key);
      tree = editTree(tree, edits);
      expect(tree.equals(encoded())).toBe(true);
      for (const [key, entry] of edits) expect(findTreeEntry(tree, key)).toEqual(entry ?? undefined);
    }),
    { numRuns: fuzzRuns(500, 50), seed: 4, endOnFailure: true },
  );
});

test('a directory can replace a file with the same name, and a file can replace a directory', () => {
  const id = Buffer.alloc(20, 7);
  const file = { mode: 0o100644, sha: id };
  const directory = { mode: 0o040000, sha: id };
  const between = { name: 'a.b', ...file };
  const withFile = encodeTree([between, { name: 'a', ...file }]);
  const withDirectory = encodeTree([{ name: 'a', ...directory }, between]);
  expect(decodeTree(withFile).map((entry) => entry.name)).toEqual(['a', 'a.b']);
  expect(decodeTree(withDirectory).map((entry) => entry.name)).toEqual(['a.b', 'a']);
  expect(editTree(withFile, new Map([['a', directory]]))).toEqual(withDirectory);
  expect(editTree(withDirectory, new Map([['a', file]]))).toEqual(withFile);
  expect(editTree(withDirectory, new Map([['a', null]]))).toEqual(encodeTree([between]));
  expect(editTree(encodeTree([between]), new Map([['a.b', null]]))).toHaveLength(0);
  expect(editTree(null, new Map([['a', directory]]))).toEqual(encodeTree([{ name: 'a', ...directory }]));
  expect(editTree(null, new Map([['a', null]]))).toHaveLength(0);
});

test('one edit among 10,000 entries only scans the bytes', () => {
  const id = Buffer.alloc(20, 7);
  const all = Array.from({ length: 10_000 }, (_, i) => ({ name: `component-${i}.tsx`, mode: 0o100644, sha: id }));
  const content = encodeTree(all);
  const last = new Map([['zzz', { mode: 0o100644, sha: id }]]);
  const spent = cpuMsOf(() => {
    for (let round = 0; round < 100; round++) editTree(content, last);
  });
  // Each takes less than 1 ms on an idle machine. Decoding and encoding all entries takes thirty times that.
  expect(spent / 100).toBeLessThan(20);
});

function entryBytes(text: string, id = Buffer.alloc(20, 1)): Buffer {
  return Buffer.concat([Buffer.from(text, 'latin1'), id]);
}

test('broken trees are refused', () => {
  const broken = {
    'no mode': entryBytes(' a\0'),
    'a mode that is not octal': entryBytes('100648 a\0'),
    'a mode that is too long': entryBytes('00000000100644 a\0'),
    'a mode out of range': entryBytes('1100644 a\0'),
    'no space': entryBytes('100644\0'),
    'an empty name': entryBytes('100644 \0'),
    'a slash': entryBytes('100644 a/b\0'),
    'a name without end': Buffer.from('100644 abc'),
    'an id that is cut off': entryBytes('100644 a\0', Buffer.alloc(19, 1)),
    'a tail': Buffer.concat([entryBytes('100644 a\0'), Buffer.from('1')]),
    'a wrong order': Buffer.concat([entryBytes('100644 b\0'), entryBytes('100644 a\0')]),
    'a directory sorted as a file': Buffer.concat([entryBytes('40000 a\0'), entryBytes('100644 a.b\0')]),
    'a name twice': Buffer.concat([entryBytes('100644 a\0'), entryBytes('100644 a\0')]),
    'a file and a directory of one name': Buffer.concat(
      ['100644 a\0', '100644 a.b\0', '40000 a\0'].map((text) => entryBytes(text)),
    ),
  };
  for (const [what, content] of Object.entries(broken)) {
    expect(() => decodeTree(content), what).toThrow(
      expect.objectContaining({ name: 'TreeError', reason: 'malformed' }),
    );
  }
});

test('a name that is not UTF-8 is refused, and the error contains it', () => {
  const content = Buffer.concat([entryBytes('100644 a\0'), entryBytes('100644 caf\xe9\0')]);
  expect(() => decodeTree(content)).toThrow(
    expect.objectContaining({ reason: 'name-not-utf8', message: expect.stringContaining('"caf\\xe9"') }),
  );
});

test('arbitrary bytes are either decoded or refused', () => {
  assert(
    property(uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        decodeTree(Buffer.from(bytes));
      } catch (error) {
        expect(error).toBeInstanceOf(TreeError);
      }
    }),
    { numRuns: fuzzRuns(2_000, 400), seed: 3 },
  );
});

test('modes written by old tools are decoded, and do not change when other entries are edited', () => {
  const old = Buffer.concat([entryBytes('100664 a\0'), entryBytes('040000 b\0')]);
  expect(decodeTree(old).map((entry) => entry.mode)).toEqual([0o100664, 0o040000]);
  const edited = editTree(old, new Map([['c', { mode: 0o100644, sha: Buffer.alloc(20, 1) }]]));
  expect(edited).toEqual(Buffer.concat([old, entryBytes('100644 c\0')]));
  expect(git(['hash-object', '-t', 'tree', '--literally', '--stdin'], edited).toString().trim()).toBe(
    hashObject('tree', edited).toString('hex'),
  );
});

test('invalid names and ids are not written to a tree', () => {
  const id = Buffer.alloc(20, 1);
  for (const bad of ['', 'a/b', 'a\0b', '\ud800']) {
    expect(() => encodeTree([{ name: bad, mode: 0o100644, sha: id }])).toThrow(TreeError);
    expect(() => editTree(null, new Map([[bad, { mode: 0o100644, sha: id }]]))).toThrow(TreeError);
  }
  expect(() => encodeTree([{ name: 'a', mode: 0o100644, sha: Buffer.alloc(19) }])).toThrow(TreeError);
  const twice = [0o100644, 0o040000].map((each) => ({ name: 'a', mode: each, sha: id }));
  expect(() => encodeTree(twice)).toThrow(TreeError);
});
