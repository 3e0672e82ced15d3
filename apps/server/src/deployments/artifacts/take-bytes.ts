import type { Readable } from 'node:stream';

/** Reads this many bytes of a stream, or fewer at its end, and nothing beyond them. */
export type TakeBytes = (count: number) => Promise<Buffer>;

/** Leaves the stream open, so that it can be read to its end. */
export function takeBytes(stream: Readable): TakeBytes {
  const source = stream.iterator({ destroyOnReturn: false });
  let rest: Buffer = Buffer.alloc(0);
  return async (count) => {
    const parts: Buffer[] = [];
    for (let missing = count; missing > 0; ) {
      if (rest.length === 0) {
        const next = await source.next();
        if (next.done) break;
        rest = next.value;
        continue;
      }
      const part = rest.subarray(0, missing);
      parts.push(part);
      rest = rest.subarray(part.length);
      missing -= part.length;
    }
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  };
}
