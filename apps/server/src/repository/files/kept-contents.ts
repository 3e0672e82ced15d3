import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const maxBytes = 16 * 1_048_576;
const largestKept = 262_144;

export type KeptContents = {
  find(checksum: Buffer): Buffer | undefined;
  keep(checksum: Buffer, content: Buffer): void;
};

/**
 * Caches recently read contents by checksum and not by path. The caller has already checked in the database that the
 * user may read this content. The key is the SHA-256 and not git's SHA-1, because somebody could create two contents
 * with the same SHA-1, so that one of them is shown instead of the other.
 */
export function keepContents(): KeptContents {
  const contents = new LRUCache<string, Buffer>({ maxSize: maxBytes, sizeCalculation: ({ length }) => length + 200 });
  const keyOf = (checksum: Buffer) => checksum.toString('latin1');
  return {
    find: (checksum) => contents.get(keyOf(checksum)),
    keep(checksum, content) {
      if (content.length > largestKept || !hash('sha256', content, 'buffer').equals(checksum)) return;
      // A copy, because the content is a slice of a larger buffer.
      const own = Buffer.allocUnsafeSlow(content.length);
      content.copy(own);
      contents.set(keyOf(checksum), own);
    },
  };
}
