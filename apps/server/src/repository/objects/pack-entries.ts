import { inflateSync } from 'node:zlib';
import type { ObjectType } from './objects.ts';

/**
 * Reads the entries of a pack (version 2). An entry contains either an object, or a delta: its difference from a base,
 * which is an object at an earlier place in the same pack. References to bases by id are not supported, because only
 * thin packs need them.
 */
export type EntryHeader = {
  /** Null if the entry is a delta, which has the type of its base. */
  type: ObjectType | null;
  /** Size of the object, or of the delta. */
  size: number;
  /** Distance to the base in bytes. 0 for an object without one. */
  distance: number;
  /** Where the zlib stream begins. */
  start: number;
};

/** The type numbers of entries that contain an object. */
export const entryTypes: readonly (ObjectType | undefined)[] = [undefined, 'commit', 'tree', 'blob', 'tag'];
const deltaByDistance = 6;

export class DamagedPack extends Error {
  override readonly name = 'DamagedPack';
}

export function readEntryHeader(pack: Buffer, at: number): EntryHeader {
  let start = at;
  const next = (): number => {
    const byte = pack[start++];
    if (byte === undefined) throw new DamagedPack('an entry of a pack is cut off');
    return byte;
  };
  const first = next();
  const number = (first >> 4) & 7;
  let size = first & 15;
  for (let byte = first, scale = 16; byte & 0x80; scale *= 128) {
    byte = next();
    size += (byte & 0x7f) * scale;
  }
  const distance = number === deltaByDistance ? readDistance(next) : 0;
  const type = entryTypes[number] ?? null;
  if (!type && distance === 0) throw new DamagedPack(`an entry of a pack has the type ${number}`);
  return { type, size, distance, start };
}

function readDistance(next: () => number): number {
  let byte = next();
  let distance = byte & 0x7f;
  while (byte & 0x80) {
    byte = next();
    distance = (distance + 1) * 128 + (byte & 0x7f);
  }
  return distance;
}

/** The bytes of a delta that is stored in an object's row. */
export const inflateDelta = (deflated: Buffer): Buffer => inflateSync(deflated, { maxOutputLength: longestDelta });
/** The most bytes of a delta that is stored in an object's row. */
export const longestDelta = 8_192;

/** Applies a delta to its base, and returns the object that results. */
export function applyDelta(base: Buffer, delta: Buffer): Buffer {
  const reader = { at: 0 };
  const next = (): number => {
    const byte = delta[reader.at++];
    if (byte === undefined) throw new DamagedPack('a delta is cut off');
    return byte;
  };
  if (readSize(next) !== base.length) throw new DamagedPack('a delta belongs to another base');
  const result = Buffer.allocUnsafe(readSize(next));
  let end = 0;
  while (reader.at < delta.length) {
    const command = next();
    const { from, start, length } =
      command & 0x80 ? { from: base, ...readCopy(command, next) } : { from: delta, start: reader.at, length: command };
    if (from === delta) reader.at += length;
    if (length === 0 || start + length > from.length || end + length > result.length) {
      throw new DamagedPack('a delta reaches beyond its base or its result');
    }
    from.copy(result, end, start, start + length);
    end += length;
  }
  if (end !== result.length) throw new DamagedPack('a delta is shorter than its result');
  return result;
}

function readSize(next: () => number): number {
  let size = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = next();
    size += (byte & 0x7f) * scale;
    if (!(byte & 0x80)) return size;
  }
}

/** Reads a command that copies a part of the base. Its bits say which bytes of the position and the length follow. */
function readCopy(command: number, next: () => number): { start: number; length: number } {
  const read = (bits: readonly number[]): number =>
    bits.reduce((value, bit, byte) => value + (command & bit ? next() * 256 ** byte : 0), 0);
  const start = read([0x01, 0x02, 0x04, 0x08]);
  return { start, length: read([0x10, 0x20, 0x40]) || 0x10000 };
}
