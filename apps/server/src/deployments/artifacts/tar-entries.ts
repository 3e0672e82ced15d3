import { reasonSentence } from '@bottega/contract';
import { BuildProblem } from '../state/index.ts';
import type { TakeBytes } from './take-bytes.ts';

/** An entry of an archive, with its name as stored. Its content must be read before the next entry, or not at all. */
export type TarEntry = {
  name: Buffer;
  kind: 'file' | 'directory' | 'link' | 'hard link' | 'other';
  isExecutable: boolean;
  size: number;
  /** The target of a link. */
  target: Buffer;
  content(): AsyncGenerator<Buffer>;
};

const block = 512;
/** Longest name in bytes. It is longer than any path that can be opened, so deeper nesting is useless. */
const longestName = 16 * 1024;
export const pieceBytes = 1024 * 1024;

const kinds: Record<string, TarEntry['kind']> = {
  '0': 'file',
  '7': 'file',
  '1': 'hard link',
  '2': 'link',
  '5': 'directory',
};

/**
 * The entries of an archive in the formats of GNU, BSD and busybox tar. The program that writes it runs among a
 * tenant's files, so nothing in the archive is trusted, and sizes are checked before memory is allocated. (tar-stream
 * reads a long name of any size into memory before it checks it.)
 */
export async function* tarEntries(take: TakeBytes): AsyncGenerator<TarEntry> {
  let long: LongNames = {};
  for (;;) {
    const header = await take(block);
    if (header.length < block) throw broken('it ends too early');
    if (header.every((byte) => byte === 0)) return;
    const type = String.fromCharCode(header[156] ?? 0).replace('\0', '0');
    mustMatch(header);
    if ('LKxg'.includes(type)) {
      const record = await longRecord(take, sizeIn(header));
      if (type !== 'g')
        long = { ...long, ...(type === 'x' ? fromPax(record) : { [type === 'L' ? 'name' : 'target']: text(record) }) };
      continue;
    }
    const size = long.size ?? sizeIn(header);
    const content = contentOf(take, size);
    yield { ...fieldsOf(header, type, long), size, content: content.pieces };
    await content.skip();
    long = {};
  }
}

type LongNames = { name?: Buffer; target?: Buffer; size?: number };

const broken = (detail: string) => new BuildProblem('build_failed', reasonSentence('output_unreadable', { detail }));

function fieldsOf(header: Buffer, type: string, long: LongNames) {
  const prefix = header.toString('latin1', 257, 263) === 'ustar\0' ? text(header.subarray(345, 500)) : Buffer.alloc(0);
  const short = text(header.subarray(0, 100));
  return {
    name: long.name ?? (prefix.length > 0 ? Buffer.concat([prefix, Buffer.from('/'), short]) : short),
    kind: kinds[type] ?? 'other',
    isExecutable: (Number.parseInt(header.toString('latin1', 100, 108), 8) & 0o100) !== 0,
    target: long.target ?? text(header.subarray(157, 257)),
  } as const;
}

/** All pieces have the same size except the last, because pieces are stored by content. */
function contentOf(take: TakeBytes, size: number) {
  let left = size;
  async function* pieces(): AsyncGenerator<Buffer> {
    while (left > 0) {
      const wanted = Math.min(left, pieceBytes);
      const piece = await take(wanted);
      if (piece.length < wanted) throw broken('it ends too early');
      left -= wanted;
      yield piece;
    }
  }
  const skip = async () => {
    for await (const _ of pieces());
    await take(-size & (block - 1));
  };
  return { pieces, skip };
}

async function longRecord(take: TakeBytes, size: number): Promise<Buffer> {
  if (size > longestName) throw new BuildProblem('too_large', reasonSentence('output_paths_too_long'));
  const record = await take(size);
  await take(-size & (block - 1));
  return record;
}

/** The text of a field. It ends at the first NUL. */
function text(field: Buffer): Buffer {
  const end = field.indexOf(0);
  return end < 0 ? field : field.subarray(0, end);
}

/** The size in octal digits. A size that does not fit into them is in binary. */
function sizeIn(header: Buffer): number {
  const field = header.subarray(124, 136);
  const size = (field[0] ?? 0) & 0x80 ? Number(field.readBigUInt64BE(4)) : Number.parseInt(field.toString('latin1'), 8);
  return mustBeSize(size);
}

function mustBeSize(size: number): number {
  if (!Number.isSafeInteger(size) || size < 0) throw broken('a size is not a number');
  return size;
}

function mustMatch(header: Buffer): void {
  const told = Number.parseInt(header.toString('latin1', 148, 156), 8);
  let sum = 8 * 0x20;
  for (const [at, byte] of header.entries()) if (at < 148 || at >= 156) sum += byte;
  if (told !== sum) throw broken('a checksum does not match');
}

/** Parses lines of `length key=value`. The length counts the whole line. */
function fromPax(record: Buffer): LongNames {
  const longNames: LongNames = {};
  for (let at = 0; at < record.length; ) {
    const space = record.indexOf(0x20, at);
    const length = Number.parseInt(record.toString('latin1', at, space), 10);
    if (space < 0 || !(length > space - at) || at + length > record.length)
      throw broken('an extended header is not valid');
    const line = record.subarray(space + 1, at + length - 1);
    const equals = line.indexOf(0x3d);
    const key = line.toString('latin1', 0, equals);
    const value = line.subarray(equals + 1);
    if (key === 'path') longNames.name = value;
    if (key === 'linkpath') longNames.target = value;
    if (key === 'size') longNames.size = mustBeSize(Number.parseInt(value.toString('latin1'), 10));
    if (key.startsWith('GNU.sparse')) throw broken('it contains sparse files');
    at += length;
  }
  return longNames;
}
