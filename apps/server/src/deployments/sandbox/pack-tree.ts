import { createReadStream } from 'node:fs';
import { lstat, opendir, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const block = 512;
const longestName = 100;

type Entry = {
  name: string;
  type: '0' | '2' | '5' | 'L' | 'K';
  mode: number;
  size: number;
  /** In milliseconds. */
  mtime?: number;
  target?: string;
};

const endOfArchive = Buffer.alloc(2 * block);

/**
 * Packs a directory as a tar for an engine that cannot see it. All files get the same uid in the engine. Use it only
 * for files that the service wrote, before any program of a tenant ran. `place` is the path of the files in the
 * archive.
 */
export async function* packTree(directory: string, uid: number, place = '.'): AsyncGenerator<Buffer> {
  const parts = place.split('/');
  for (let depth = 2; depth <= parts.length; depth++) yield* directoryEntry(parts.slice(0, depth).join('/'), uid);
  yield* packBelow(directory, place, uid);
  yield endOfArchive;
}

/** Packs one program whose text is not in a file on this machine. */
export function* packProgram(name: string, text: string, uid: number): Generator<Buffer> {
  const content = Buffer.from(text);
  yield* directoryEntry(dirname(name), uid);
  yield* named({ name, type: '0', mode: 0o755, size: content.length }, uid);
  yield content;
  yield padding(content.length);
  yield endOfArchive;
}

const directoryEntry = (name: string, uid: number) => named({ name: `${name}/`, type: '5', mode: 0o755, size: 0 }, uid);

async function* packBelow(directory: string, above: string, uid: number): AsyncGenerator<Buffer> {
  for await (const entry of await opendir(directory)) {
    const [path, name] = [join(directory, entry.name), `${above}/${entry.name}`];
    if (entry.isDirectory()) {
      yield* directoryEntry(name, uid);
      yield* packBelow(path, name, uid);
    } else if (entry.isSymbolicLink()) {
      yield* named({ name, type: '2', mode: 0o777, size: 0, target: await readlink(path) }, uid);
    } else if (entry.isFile()) {
      const { size, mode, mtimeMs } = await lstat(path);
      yield* named({ name, type: '0', mode: mode & 0o777, size, mtime: mtimeMs }, uid);
      if (size > 0) yield* createReadStream(path, { highWaterMark: 256 * 1024 });
      yield padding(size);
    }
  }
}

/** An entry with its name. GNU's form of a long name is an extra entry before the file. */
function* named(entry: Entry, uid: number): Generator<Buffer> {
  const { name, target = '' } = entry;
  if (Buffer.byteLength(name) > longestName) yield* longText('L', name, uid);
  if (Buffer.byteLength(target) > longestName) yield* longText('K', target, uid);
  yield header(entry, uid);
}

function* longText(type: 'L' | 'K', text: string, uid: number): Generator<Buffer> {
  const content = Buffer.from(`${text}\0`);
  yield header({ name: '././@LongLink', type, mode: 0, size: content.length }, uid);
  yield content;
  yield padding(content.length);
}

const padding = (size: number): Buffer => Buffer.alloc((block - (size % block)) % block);

function header({ name, type, mode, size, mtime = 0, target = '' }: Entry, uid: number): Buffer {
  const bytes = Buffer.alloc(block);
  const octal = (value: number, at: number, length: number) =>
    bytes.write(value.toString(8).padStart(length - 1, '0'), at, 'latin1');
  Buffer.from(name).copy(bytes, 0, 0, longestName);
  octal(mode, 100, 8);
  octal(uid, 108, 8);
  octal(uid, 116, 8);
  octal(size, 124, 12);
  octal(Math.max(0, Math.floor(mtime / 1000)), 136, 12);
  bytes.write('        ', 148, 'latin1');
  bytes.write(type, 156, 'latin1');
  Buffer.from(target).copy(bytes, 157, 0, longestName);
  bytes.write('ustar  \0', 257, 'latin1');
  const sum = bytes.reduce((all, byte) => all + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return bytes;
}
