import { createHash } from 'node:crypto';
import type { ObjectType } from './objects.ts';

/**
 * An object for a pack. If `base` is set, `deflated` is a delta of that object, and `size` is the size of the delta.
 */
export type PackedObject = { type: ObjectType; size: number; deflated: Buffer; base?: Buffer };

const typeBits: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3, tag: 4 };
const deltaById = 7;

/** Small objects are joined up to this size, because copying them costs less than a write for each. */
const chunkBytes = 64 * 1024;

export function packHeader(count: number): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  header.writeUInt32BE(count, 8);
  return header;
}

/** One object of a pack as two buffers: its header, and the stored bytes as they are. */
export function packEntry(type: ObjectType, size: number, deflated: Buffer): [Buffer, Buffer] {
  return [entryHeader(typeBits[type], size), deflated];
}

const deltaEntry = (size: number, deflated: Buffer, base: Buffer): [Buffer, Buffer] => [
  Buffer.concat([entryHeader(deltaById, size), base]),
  deflated,
];

/**
 * A whole pack (version 2, no deltas) with its SHA-1 at the end. If the number of objects differs from the announced
 * number, it throws before the checksum, so that no client accepts the pack.
 */
export async function* packStream(objects: AsyncIterable<PackedObject>, count: number): AsyncGenerator<Buffer> {
  const checksum = createHash('sha1');
  let parts = [packHeader(count)];
  let bytes = 12;
  let seen = 0;
  for await (const { type, size, deflated, base } of objects) {
    if (++seen > count) break;
    const [header, body] = base ? deltaEntry(size, deflated, base) : packEntry(type, size, deflated);
    const isLarge = body.length >= chunkBytes;
    parts.push(header);
    bytes += header.length;
    if (!isLarge) {
      parts.push(body);
      bytes += body.length;
    }
    if (isLarge || bytes >= chunkBytes) {
      const chunk = Buffer.concat(parts, bytes);
      parts = [];
      bytes = 0;
      checksum.update(chunk);
      yield chunk;
    }
    if (isLarge) {
      checksum.update(body);
      yield body;
    }
  }
  if (seen !== count)
    throw new Error(`a pack for ${count} objects was given ${seen > count ? 'more' : `only ${seen}`}`);
  const last = Buffer.concat(parts, bytes);
  yield Buffer.concat([last, checksum.update(last).digest()]);
}

/**
 * The first byte has three bits of type and four of size, further bytes have seven. The top bit says that more follow.
 */
function entryHeader(bits: number, size: number): Buffer {
  const bytes = [(bits << 4) | (size % 16)];
  // Division instead of shifts, which would truncate a size above 2 GiB.
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80;
    bytes.push(rest % 128);
  }
  return Buffer.from(bytes);
}
