import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const mostBytes = 16 * 1_048_576;
const largestKept = 262_144;

export type KeptContents = {
  find(checksum: Buffer): Buffer | undefined;
  keep(checksum: Buffer, content: Buffer): void;
};

/**
 * Contents that were read last, by what they are and not by where they stand: whoever asks here has found out from the
 * database that this caller may have this content. The key is its SHA-256, since somebody could make two contents of the
 * same SHA-1, which is git's name for them, and have one of them shown in place of the other.
 */
export function keepContents(): KeptContents {
  const contents = new LRUCache<string, Buffer>({ maxSize: mostBytes, sizeCalculation: ({ length }) => length + 200 });
  const keyOf = (checksum: Buffer) => checksum.toString('latin1');
  return {
    find: (checksum) => contents.get(keyOf(checksum)),
    keep(checksum, content) {
      if (content.length > largestKept || !hash('sha256', content, 'buffer').equals(checksum)) return;
      // A copy of its own: what was read is a part of a larger piece of memory.
      const own = Buffer.allocUnsafeSlow(content.length);
      content.copy(own);
      contents.set(keyOf(checksum), own);
    },
  };
}
