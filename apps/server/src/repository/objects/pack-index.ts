import { hash } from 'node:crypto';

/**
 * What the index says about one object of a pack, so that the pack need not be read. The entries are sorted by id and
 * divided into buckets. The ids in a bucket begin with the same bits, so that a lookup reads only some kilobytes.
 */
export type IndexEntry = {
  sha: Buffer;
  /** Type number as in a pack. */
  type: number;
  size: number;
  /** Where its entry begins in the pack. */
  offset: number;
  /** CRC-32 of the bytes of its entry in the pack. Git's own index contains it. */
  crc: number;
  /** The number that the object had when it was stored. */
  seq: number;
  /**
   * Whether nothing refers to the object any more. Its entry remains only because other entries may be deltas of it.
   */
  isGone: boolean;
};

export const entryBytes = 39;
const shaBytes = 20;
const goneBit = 0x80;
/** Maximum number of entries per bucket on average. With more entries, there are more buckets. */
const fewEntries = 128;
const mostBits = 16;

/** The number of leading bits of an id that select its bucket. */
export const bitsFor = (objects: number): number =>
  Math.min(mostBits, Math.max(0, Math.ceil(Math.log2(objects / fewEntries))));

export const bucketOf = (sha: Buffer, bits: number): number => sha.readUInt16BE(0) >> (mostBits - bits);

export function encodeEntries(entries: readonly IndexEntry[]): Buffer {
  const bytes = Buffer.alloc(entries.length * entryBytes);
  for (const [index, { sha, type, size, offset, crc, seq, isGone }] of entries.entries()) {
    const at = index * entryBytes;
    sha.copy(bytes, at);
    bytes.writeUInt8(type | (isGone ? goneBit : 0), at + shaBytes);
    bytes.writeUInt32BE(size, at + 21);
    bytes.writeUInt32BE(offset, at + 25);
    bytes.writeUInt32BE(crc, at + 29);
    bytes.writeUIntBE(seq, at + 33, 6);
  }
  return bytes;
}

export function decodeEntry(entries: Buffer, index: number): IndexEntry {
  const at = index * entryBytes;
  const type = entries.readUInt8(at + shaBytes);
  return {
    sha: entries.subarray(at, at + shaBytes),
    type: type & ~goneBit,
    size: entries.readUInt32BE(at + 21),
    offset: entries.readUInt32BE(at + 25),
    crc: entries.readUInt32BE(at + 29),
    seq: entries.readUIntBE(at + 33, 6),
    isGone: (type & goneBit) !== 0,
  };
}

export function* decodeEntries(entries: Buffer): Generator<IndexEntry> {
  for (let index = 0; index < entries.length / entryBytes; index++) yield decodeEntry(entries, index);
}

/** The position of an object in a bucket, or -1. */
export function positionIn(entries: Buffer, sha: Buffer): number {
  let [low, high] = [0, entries.length / entryBytes - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = middle * entryBytes;
    const order = sha.compare(entries, at, at + shaBytes);
    if (order === 0) return middle;
    if (order < 0) high = middle - 1;
    else low = middle + 1;
  }
  return -1;
}

/**
 * Encodes git's own index of a pack (version 2). It needs all entries of the pack, in order of the ids. `name` is the
 * checksum at the end of the pack.
 */
export function gitIndex(entries: readonly IndexEntry[], name: Buffer): Buffer {
  const header = Buffer.alloc(8 + 256 * 4);
  header.writeUInt32BE(0xff744f63, 0);
  header.writeUInt32BE(2, 4);
  const counts = new Uint32Array(256);
  const shas = Buffer.alloc(entries.length * shaBytes);
  const numbers = Buffer.alloc(entries.length * 8);
  for (const [index, { sha, crc, offset }] of entries.entries()) {
    const first = sha.readUInt8(0);
    counts[first] = (counts[first] ?? 0) + 1;
    sha.copy(shas, index * shaBytes);
    numbers.writeUInt32BE(crc, index * 4);
    numbers.writeUInt32BE(offset, (entries.length + index) * 4);
  }
  let sum = 0;
  for (const [first, count] of counts.entries()) {
    sum += count;
    header.writeUInt32BE(sum, 8 + first * 4);
  }
  const content = Buffer.concat([header, shas, numbers, name]);
  return Buffer.concat([content, hash('sha1', content, 'buffer')]);
}

type PlacedInPack = { sha: Buffer; crc: number; offset: number };

/**
 * Decodes git's index of a pack, in order of the ids. Throws for packs of 2 GiB and more, which are never made here.
 */
export function readGitIndex(index: Buffer): PlacedInPack[] {
  if (index.readUInt32BE(0) !== 0xff744f63 || index.readUInt32BE(4) !== 2)
    throw new Error('an index of a pack has another version');
  const count = index.readUInt32BE(8 + 255 * 4);
  const shas = 8 + 256 * 4;
  const crcs = shas + count * shaBytes;
  const offsets = crcs + count * 4;
  return Array.from({ length: count }, (_, at) => {
    const offset = index.readUInt32BE(offsets + at * 4);
    if (offset >= 0x80000000) throw new Error('a pack has 2 GiB or more');
    const sha = index.subarray(shas + at * shaBytes, shas + (at + 1) * shaBytes);
    return { sha, crc: index.readUInt32BE(crcs + at * 4), offset };
  });
}
