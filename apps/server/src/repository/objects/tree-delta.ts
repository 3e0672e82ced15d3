import { compareKeys, entryStarts, newTreeCursor, readTreeEntry } from './tree-bytes.ts';

/** Git's limits for one command of a delta. */
const [longestInsert, longestCopy] = [127, 0xffff];

/**
 * Makes a delta in git's format, which turns `base` into `tree`. This saves space because a write to a directory of
 * thousands of files changes only one entry. Null if the delta would be longer than `most`.
 */
export function treeDelta(base: Buffer, tree: Buffer, most: number): Buffer | null {
  const parts: Buffer[] = [sizeOf(base.length), sizeOf(tree.length)];
  const starts = entryStarts(base);
  const [former, entry] = [newTreeCursor(), newTreeCursor()];
  let [at, next, bytes] = [0, 0, 0];
  while (next < tree.length && bytes <= most) {
    const end = lastEnd(base, starts, at + commonLength(base, at, tree, next));
    const command = end > at ? copiesOf(at, end) : [];
    next += end - at;
    at = end;
    if (next < tree.length) {
      readTreeEntry(tree, next, entry);
      if (at < base.length) readTreeEntry(base, at, former);
      const order = at < base.length ? compareKeys(base, former, tree, entry) : 1;
      if (order <= 0) at = former.end;
      if (order >= 0) {
        command.push(...insertsOf(tree.subarray(next, entry.end)));
        next = entry.end;
      }
    }
    for (const part of command) bytes += part.length;
    parts.push(...command);
  }
  return bytes <= most ? Buffer.concat(parts) : null;
}

/** The number of equal bytes from these positions on. Compares large parts at once. */
function commonLength(one: Buffer, oneAt: number, other: Buffer, otherAt: number): number {
  const longest = Math.min(one.length - oneAt, other.length - otherAt);
  let length = 0;
  for (let step = 65_536; step >= 64; ) {
    const size = Math.min(step, longest - length);
    if (size <= 0) return length;
    const [from, start] = [oneAt + length, otherAt + length];
    if (one.compare(other, start, start + size, from, from + size) === 0) length += size;
    else step /= 8;
  }
  while (length < longest && one[oneAt + length] === other[otherAt + length]) length++;
  return length;
}

/** The end of the last entry that ends within the limit. */
function lastEnd(tree: Buffer, starts: Uint32Array, limit: number): number {
  if (limit === tree.length) return limit;
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return starts[low - 1] ?? 0;
}

function sizeOf(size: number): Buffer {
  const bytes: number[] = [];
  for (let rest = size; ; rest = Math.floor(rest / 128)) {
    if (rest < 0x80) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 0x80);
  }
}

function copiesOf(from: number, end: number): Buffer[] {
  const copies: Buffer[] = [];
  for (let at = from; at < end; at += longestCopy) {
    const copy = Buffer.alloc(7);
    // Four bytes of the position and two of the length.
    copy.writeUInt8(0xbf, 0);
    copy.writeUInt32LE(at, 1);
    copy.writeUInt16LE(Math.min(longestCopy, end - at), 5);
    copies.push(copy);
  }
  return copies;
}

function insertsOf(bytes: Buffer): Buffer[] {
  const inserts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += longestInsert) {
    const some = bytes.subarray(at, at + longestInsert);
    inserts.push(Buffer.from([some.length]), some);
  }
  return inserts;
}
