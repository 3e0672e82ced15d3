import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { ObjectMissingError, type ObjectStore, ObjectStoreError } from './object-store.ts';

/** Splits the content into pieces of odd sizes. */
export async function* inPieces(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += 70_001) yield content.subarray(at, at + 70_001);
}

export const contentOf = async (store: ObjectStore, name: string): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(store.get(name)));

export const namesIn = async (store: ObjectStore): Promise<string[]> =>
  (await Array.fromAsync(store.list())).map(({ name }) => name).toSorted();

/** Tests that apply to every store. `open` returns an empty one, `large` is more than one part of an upload. */
export function testObjectStore(open: () => Promise<ObjectStore>, large: number): void {
  test.each([0, 1, 100_000, large - 1, large, 2 * large + 1])('%i bytes are put and got as they are', async (size) => {
    const store = await open();
    const content = randomBytes(size);
    expect(await store.put('a.backup', inPieces(content))).toBe(size);
    expect((await contentOf(store, 'a.backup')).equals(content)).toBe(true);
    expect(await Array.fromAsync(store.list())).toEqual([{ name: 'a.backup', size }]);
  });

  test('what is put takes the place of what was there, and what is deleted is gone', async () => {
    const store = await open();
    for (const text of ['one', 'two']) await store.put('a', inPieces(Buffer.from(text)));
    expect((await contentOf(store, 'a')).toString()).toBe('two');
    await store.delete('a');
    await store.delete('a');
    expect(await namesIn(store)).toEqual([]);
    await expect(contentOf(store, 'a')).rejects.toBeInstanceOf(ObjectMissingError);
  });

  test('all of them are listed, whatever they are called, and others are not', async () => {
    const store = await open();
    const names = ['a b', 'c&d', 'größe.txt', ...Array.from({ length: 5 }, (_, n) => `n${n}`)];
    for (const name of names) await store.put(name, inPieces(Buffer.from(name)));
    expect(await namesIn(store)).toEqual(names.toSorted());
    for (const name of names) expect((await contentOf(store, name)).toString()).toBe(name);
  });

  test.each([100, 2 * large])(
    'a source that breaks off after %i bytes leaves the former one, and nothing half',
    async (size) => {
      const store = await open();
      await store.put('a', inPieces(Buffer.from('former')));
      let isEnded = false;
      async function* broken() {
        try {
          yield* inPieces(randomBytes(size));
          throw new Error('the source broke');
        } finally {
          isEnded = true;
        }
      }
      await expect(store.put('a', broken())).rejects.toThrow('the source broke');
      await expect(store.put('b', broken())).rejects.toThrow('the source broke');
      expect(isEnded).toBe(true);
      expect((await contentOf(store, 'a')).toString()).toBe('former');
      expect(await namesIn(store)).toEqual(['a']);
    },
  );

  test('a reader that goes away before the end is no failure', async () => {
    const store = await open();
    await store.put('a', inPieces(randomBytes(large)));
    for await (const chunk of store.get('a')) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect((await contentOf(store, 'a')).length).toBe(large);
  });

  test.each(['', '.', '..', 'a/b', '../a', 'a\0'])('%j is no name', async (name) => {
    const store = await open();
    await expect(store.put(name, inPieces(Buffer.from('x')))).rejects.toBeInstanceOf(ObjectStoreError);
    await expect(contentOf(store, name)).rejects.toBeInstanceOf(ObjectStoreError);
  });
}
