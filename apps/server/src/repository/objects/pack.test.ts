import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { encodeCommit } from './commits.ts';
import { useGitRepository } from './git-repository.fixture.ts';
import { deflateObject, hashObject, type ObjectType } from './objects.ts';
import { type PackedObject, packEntry, packHeader, packStream } from './pack.ts';
import { editTrees } from './tree-edit.ts';

const { git, line } = useGitRepository();

type Content = { type: ObjectType; content: Buffer };

async function* stored(objects: readonly Content[]): AsyncGenerator<PackedObject> {
  for (const { type, content } of objects) yield { type, size: content.length, deflated: deflateObject(content) };
}

async function written(objects: readonly Content[], count = objects.length): Promise<Buffer[]> {
  return Array.fromAsync(packStream(stored(objects), count));
}

/** A commit with files of every size at which an entry's header grows, some too large to be joined. */
function history(): { objects: Content[]; tip: Buffer } {
  const sizes = [0, 1, 15, 16, 17, 2047, 2048, 2049, 70_000, 262_143, 262_144, 1_000_000];
  const blobs = sizes.map((size): Content => ({ type: 'blob', content: randomBytes(size) }));
  for (let i = 0; i < 3000; i++) blobs.push({ type: 'blob', content: Buffer.from(`file ${i}\n`.repeat(i % 20)) });
  const { root, written: trees } = editTrees(
    new Map(),
    blobs.map(({ content }, i) => ({
      path: `d${i % 7}/e${i % 11}/${i}`,
      entry: { mode: 0o100644, sha: hashObject('blob', content) },
    })),
  );
  const person = { name: 'Ada', email: 'ada@example.com', at: new Date(1_700_000_000_000) };
  const tree = root?.sha as Buffer;
  const commit = encodeCommit({ tree, parents: [], author: person, committer: person, message: 'All sizes' });
  const all = new Map<string, Content>();
  for (const object of [
    ...blobs,
    ...trees.map(({ content }): Content => ({ type: 'tree', content })),
    { type: 'commit' as const, content: commit },
  ]) {
    all.set(hashObject(object.type, object.content).toString('hex'), object);
  }
  return { objects: [...all.values()], tip: hashObject('commit', commit) };
}

test('git accepts a written pack, and finds no errors in its objects', async () => {
  const { objects, tip } = history();
  const chunks = await written(objects);
  expect(chunks.length).toBeLessThan(objects.length / 10);
  git(['index-pack', '--strict', '--stdin'], Buffer.concat(chunks));
  git(['update-ref', 'refs/heads/main', tip.toString('hex')]);
  expect(git(['fsck', '--strict', '--full']).toString()).toBe('');
  expect(line(['rev-list', '--objects', '--count', 'main'])).toBe(String(objects.length));
  for (const { type, content } of objects.slice(0, 12)) {
    expect(git(['cat-file', type, hashObject(type, content).toString('hex')]).equals(content)).toBe(true);
  }
});

test('a pack without objects is a valid pack', async () => {
  const [pack] = await written([]);
  expect(pack?.toString('hex')).toBe('5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e');
  expect(packHeader(258).toString('hex')).toBe('5041434b0000000200000102');
});

test('the header of an entry can have a size of any length, and the stored bytes are passed on unchanged', () => {
  const deflated = Buffer.from('stored');
  const header = (type: ObjectType, size: number) => packEntry(type, size, deflated)[0].toString('hex');
  expect(packEntry('blob', 3, deflated)[1]).toBe(deflated);
  expect(header('commit', 0)).toBe('10');
  expect(header('tree', 15)).toBe('2f');
  expect(header('blob', 16)).toBe('b001');
  expect(header('tag', 2047)).toBe('cf7f');
  expect(header('blob', 2048)).toBe('b08001');
  expect(header('blob', 2 ** 33)).toBe('b08080808002');
});

test('a pack that does not get the announced number of objects is never finished', async () => {
  const objects: Content[] = ['a', 'b'].map((text) => ({ type: 'blob', content: Buffer.from(text) }));
  await expect(written(objects, 3)).rejects.toThrow('3 objects was given only 2');
  await expect(written(objects, 1)).rejects.toThrow('1 objects was given more');
});
