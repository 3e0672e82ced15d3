import { LRUCache } from 'lru-cache';
import type { Queries } from '../../foundation/db/index.ts';
import { inflateObjectAsync } from '../objects/objects.ts';
import { readObjects } from './objects.service.ts';

const maxCachedBytes = 16 * 1_048_576;
const largestCached = 65_536;
/** A tree never changes, so cached content stays valid. The project is part of the key, because ids are only SHA-1. */
const cached = new LRUCache<string, Buffer>({
  maxSize: maxCachedBytes,
  sizeCalculation: ({ length }) => length + 200,
});

/** Yields every tree once, by its id in hex, in no particular order. */
export async function* treeContents(
  db: Queries,
  projectId: string,
  shas: Buffer[],
): AsyncGenerator<[hex: string, content: Buffer]> {
  const missing = new Map<string, Buffer>();
  const given = new Set<string>();
  for (const sha of shas) {
    const hex = sha.toString('hex');
    const known = cached.get(`${projectId} ${hex}`);
    if (!known) missing.set(hex, sha);
    else if (!given.has(hex)) {
      given.add(hex);
      yield [hex, known];
    }
  }
  for await (const { sha, size, deflated } of readObjects(db, projectId, missing.values(), { type: 'tree' })) {
    const hex = sha.toString('hex');
    const content = await inflateObjectAsync(deflated, size);
    if (size <= largestCached) cached.set(`${projectId} ${hex}`, Buffer.from(content));
    yield [hex, content];
  }
}
