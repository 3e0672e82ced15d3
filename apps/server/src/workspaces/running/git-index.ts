import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

/** An entry as `git ls-tree -r -z` lists it, in the order of git's index. */
type Entry = { mode: number; sha: Buffer; path: Buffer };

const regular = new Set([0o100644, 0o100755]);
const atOnce = 64;
const fixedBytes = 62;
const longestInFlags = 0xfff;
const [isExtended, skipsWorkTree] = [0x4000, 0x4000];

/** The entries in git's answer. The answer is read as Latin-1, so that every byte of a path is kept. */
export function parseTree(listing: string): Entry[] {
  const entries: Entry[] = [];
  for (const line of listing.split('\0')) {
    const [, mode = '', sha = '', path = ''] = /^(\d{6}) \w+ ([0-9a-f]{40})\t(.+)$/s.exec(line) ?? [];
    if (path === '') continue;
    entries.push({ mode: Number.parseInt(mode, 8), sha: Buffer.from(sha, 'hex'), path: Buffer.from(path, 'latin1') });
  }
  return entries;
}

/**
 * The index of git for a directory with the files of these entries. It contains the size and time of each file, so that
 * git need not read the files to find out that they are unchanged. Entries that a workspace cannot have, such as
 * symbolic links, are marked so that git does not take them for deleted.
 */
export async function writeIndex(entries: readonly Entry[], directory: string): Promise<Buffer> {
  const head = Buffer.alloc(12);
  head.write('DIRC', 0, 'latin1');
  head.writeUInt32BE(3, 4);
  head.writeUInt32BE(entries.length, 8);
  const parts: Buffer[] = [head];
  for (let at = 0; at < entries.length; at += atOnce) {
    const some = entries.slice(at, at + atOnce);
    parts.push(...(await Promise.all(some.map((entry) => encodeEntry(entry, directory)))));
  }
  const content = Buffer.concat(parts);
  return Buffer.concat([content, createHash('sha1').update(content).digest()]);
}

async function encodeEntry({ mode, sha, path }: Entry, directory: string): Promise<Buffer> {
  const isPresent = regular.has(mode);
  const stats = isPresent ? await lstat(join(directory, path.toString())).catch(() => null) : null;
  const extendedBytes = isPresent ? 0 : 2;
  // One to eight zero bytes follow the path.
  const length = (fixedBytes + extendedBytes + path.length + 8) & ~7;
  const entry = Buffer.alloc(length);
  if (stats?.isFile()) {
    entry.writeUInt32BE(Math.floor(stats.mtimeMs / 1000), 8);
    entry.writeUInt32BE(Math.min(stats.size, 0xffff_ffff), 36);
  }
  entry.writeUInt32BE(mode, 24);
  sha.copy(entry, 40);
  entry.writeUInt16BE(Math.min(path.length, longestInFlags) | (isPresent ? 0 : isExtended), 60);
  if (!isPresent) entry.writeUInt16BE(skipsWorkTree, fixedBytes);
  path.copy(entry, fixedBytes + extendedBytes);
  return entry;
}
