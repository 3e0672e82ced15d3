import { hash } from 'node:crypto';

/**
 * An index that says which commits of a pack changed the content at a path. A path is identified by the beginning of
 * its hash. Its commits are stored as their places in the pack's graph, in ascending order, each as the distance from
 * the one before.
 */
export const keyBytes = 8;
const countBytes = 4;

/** `path` has no slash at its beginning. The root is the empty path. */
export const pathKey = (path: Buffer): Buffer => hash('sha1', path, 'buffer').subarray(0, keyBytes);

/** Encodes one bucket: all keys in order, each with the length of its list of places, followed by the lists. */
export function encodePaths(paths: readonly { key: Buffer; places: readonly number[] }[]): Buffer {
  const lists = paths.map(({ places }) => encodePlaces(places));
  const heads = paths.map(({ key }, index) => {
    const head = Buffer.alloc(keyBytes + countBytes);
    key.copy(head);
    head.writeUInt32BE((lists[index] as Buffer).length, keyBytes);
    return head;
  });
  const count = Buffer.alloc(countBytes);
  count.writeUInt32BE(paths.length);
  return Buffer.concat([count, ...heads, ...lists]);
}

function encodePlaces(places: readonly number[]): Buffer {
  const bytes: number[] = [];
  let last = -1;
  for (const place of places) {
    let distance = place - last - 1;
    last = place;
    for (; distance >= 0x80; distance = Math.floor(distance / 128)) bytes.push((distance % 128) | 0x80);
    bytes.push(distance);
  }
  return Buffer.from(bytes);
}

/** Finds the places of a path in its bucket. Empty if no commit changed the path. */
export function placesIn(bucket: Buffer, key: Buffer): number[] {
  const count = bucket.readUInt32BE(0);
  let at = countBytes + count * (keyBytes + countBytes);
  for (let index = 0; index < count; index++) {
    const head = countBytes + index * (keyBytes + countBytes);
    const length = bucket.readUInt32BE(head + keyBytes);
    if (key.equals(bucket.subarray(head, head + keyBytes))) return decodePlaces(bucket.subarray(at, at + length));
    at += length;
  }
  return [];
}

function decodePlaces(bytes: Buffer): number[] {
  const places: number[] = [];
  let [last, distance, scale] = [-1, 0, 1];
  for (const byte of bytes) {
    distance += (byte & 0x7f) * scale;
    scale *= 128;
    if (byte & 0x80) continue;
    last += distance + 1;
    places.push(last);
    [distance, scale] = [0, 1];
  }
  return places;
}
