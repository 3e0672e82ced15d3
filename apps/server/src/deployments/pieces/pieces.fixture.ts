import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Db } from '../../foundation/db/index.ts';
import type { Pieces } from './pieces.ts';

export type Scene = {
  db: Db;
  pieces: Pieces;
  projectId: string;
  /** The bytes that count for the plan. */
  counted(): Promise<number>;
  /** The number of contents in the store. */
  kept(): Promise<number>;
};

export const keyOf = (projectId: string, content: Buffer) => ({
  projectId,
  digest: createHash('sha256').update(content).digest(),
});

/** Tests that apply to every store of artifacts. `open` returns an empty project. */
export function testPieces(open: () => Promise<Scene>): void {
  test.each([1, 1_000, 1_048_576])('%i bytes are stored, found, counted and read as they are', async (size) => {
    const { pieces, projectId, counted } = await open();
    const content = randomBytes(size);
    const key = keyOf(projectId, content);
    expect(await pieces.missing(projectId, [key.digest])).toEqual([key.digest]);
    await pieces.store(key, content);
    expect(await pieces.missing(projectId, [key.digest])).toEqual([]);
    expect((await pieces.read(key)).equals(content)).toBe(true);
    expect(await counted()).toBe(size);
  });

  test('what is stored twice, at once too, is there and counted once', async () => {
    const { pieces, projectId, counted } = await open();
    const content = randomBytes(5_000);
    const key = keyOf(projectId, content);
    await Promise.all([1, 2, 3].map(() => pieces.store(key, content)));
    await pieces.store(key, content);
    expect(await counted()).toBe(5_000);
    expect((await pieces.read(key)).equals(content)).toBe(true);
  });

  test('what is not there is told, and so is what is only in another project', async () => {
    const [one, other] = [await open(), await open()];
    const content = randomBytes(100);
    await one.pieces.store(keyOf(one.projectId, content), content);
    const key = keyOf(other.projectId, content);
    expect(await other.pieces.missing(other.projectId, [key.digest])).toEqual([key.digest]);
    await expect(other.pieces.read(key)).rejects.toThrow('a piece of an artifact is not stored');
  });

  test('it goes with its project', async () => {
    const { db, pieces, projectId, kept } = await open();
    const before = await kept();
    for (let n = 0; n < 3; n++) {
      const content = randomBytes(1_000);
      await pieces.store(keyOf(projectId, content), content);
    }
    expect(await kept()).toBe(before + 3);
    await db.deleteFrom('projects').where('id', '=', projectId).execute();
    expect(await kept()).toBe(before);
  });
}
