import { LRUCache } from 'lru-cache';
import type { PointReads } from '../../../foundation/db/index.ts';
import type { ObjectType } from '../../objects/objects.ts';
import { inflateObjectAsync } from '../../objects/objects.ts';
import { applyDelta, DamagedPack, readEntryHeader } from '../../objects/pack-entries.ts';
import { decodeEntry, type IndexEntry, positionIn } from '../../objects/pack-index.ts';
import { findBuckets, listStarts, readPiece } from './packs.sql.ts';

/**
 * Reads objects that are in packs. An index of buckets says where the entry of an object is. The entry may be a delta
 * of an earlier entry, and so on. Pieces and bases are cached for a while, because the neighbours of an old object are
 * usually read next.
 */

export type PackedInfo = IndexEntry & { pack: PackId; checksum: Buffer | null };
/** Packs with the same name have the same content, in any database. */
export type PackId = { id: number; name: string };
export type PackedContent = { type: ObjectType; content: Buffer };

const blobType = 3;
const checksumBytes = 32;
const atOnce = 500;
/** Keyed by the name of the pack and the place in it. */
const pieces = new LRUCache<string, Buffer>({
  maxSize: 24 * 1_048_576,
  sizeCalculation: ({ length }) => length + 200,
});
const startsOf = new LRUCache<string, number[]>({ max: 1_000 });
const bases = new LRUCache<string, PackedContent>({
  maxSize: 8 * 1_048_576,
  maxEntrySize: 262_144,
  sizeCalculation: ({ content }) => content.length + 200,
});

/** Finds objects in the packs of a project, by their ids in hex. Objects that nothing needs any more are not found. */
export async function findPacked(
  db: PointReads,
  projectId: string,
  shas: readonly Buffer[],
): Promise<Map<string, PackedInfo>> {
  const found = new Map<string, PackedInfo>();
  // Neighbours are in the same bucket, so each bucket is read about once.
  const sorted = shas.toSorted(Buffer.compare);
  for (let at = 0; at < sorted.length; at += atOnce) {
    for (const bucket of await findBuckets(db, projectId, sorted.slice(at, at + atOnce))) {
      const pack = { id: bucket.pack_id, name: bucket.pack_name.toString('hex') };
      for (const sha of bucket.wanted) {
        const position = positionIn(bucket.entries, sha);
        if (position < 0) continue;
        const entry = decodeEntry(bucket.entries, position);
        if (entry.isGone) continue;
        const checksum = entry.type === blobType ? checksumAt(bucket, position) : null;
        // A copy, so that the bucket can be freed.
        found.set(sha.toString('hex'), { ...entry, sha, pack, checksum });
      }
    }
  }
  return found;
}

/** Only blobs have checksums, so the index of a blob's checksum is the number of blobs before it. */
function checksumAt({ entries, checksums }: { entries: Buffer; checksums: Buffer }, position: number): Buffer {
  let blobs = 0;
  for (let index = 0; index < position; index++) if (decodeEntry(entries, index).type === blobType) blobs++;
  return Buffer.from(checksums.subarray(blobs * checksumBytes, (blobs + 1) * checksumBytes));
}

/** Thrown if the pack was replaced by another one after the object was looked up. */
export class PackReplaced extends Error {
  override readonly name = 'PackReplaced';
}

/** Reads the object whose entry begins at this offset. */
export async function readPacked(db: PointReads, pack: PackId, offset: number): Promise<PackedContent> {
  const deltas: { at: number; content: Buffer }[] = [];
  let at = offset;
  for (;;) {
    const known = bases.get(`${pack.name} ${at}`);
    if (known) return withDeltas(pack, known, deltas);
    const { start, content } = await pieceAt(db, pack, at);
    const header = readEntryHeader(content, at - start);
    const inflated = await inflateObjectAsync(content.subarray(header.start), header.size);
    if (header.type !== null) {
      const base = { type: header.type, content: inflated };
      if (deltas.length > 0) bases.set(`${pack.name} ${at}`, base);
      return withDeltas(pack, base, deltas);
    }
    deltas.push({ at, content: inflated });
    at -= header.distance;
    if (at < 0) throw new DamagedPack('a delta has its base before the pack');
  }
}

function withDeltas({ name }: PackId, base: PackedContent, deltas: { at: number; content: Buffer }[]): PackedContent {
  let { content } = base;
  for (const delta of deltas.toReversed()) {
    content = applyDelta(content, delta.content);
    bases.set(`${name} ${delta.at}`, { type: base.type, content });
  }
  return { type: base.type, content };
}

async function pieceAt(
  db: PointReads,
  { id, name }: PackId,
  offset: number,
): Promise<{ start: number; content: Buffer }> {
  const starts = startsOf.get(name) ?? (await listStarts(db, id));
  startsOf.set(name, starts);
  const start = starts[lastUpTo(starts, offset)];
  const content =
    start === undefined ? undefined : (pieces.get(`${name} ${start}`) ?? (await readPiece(db, id, start)));
  if (start === undefined || !content) {
    startsOf.delete(name);
    throw new PackReplaced();
  }
  pieces.set(`${name} ${start}`, content);
  return { start, content };
}

/** The position of the last number that is not above the limit, or -1. */
function lastUpTo(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
