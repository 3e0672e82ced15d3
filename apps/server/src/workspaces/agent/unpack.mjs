// @ts-check
import {
  chmodSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  symlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { createParcelReader } from './parcels.mjs';
import { createTarReader } from './tar.mjs';

/** @typedef {import('./tar.mjs').Entry} Entry */

const decompress = promisify(zstdDecompress);
const largestParcel = 2 * 2 ** 20;
const largestPiece = 4 * 2 ** 20;

/**
 * Unpacks an archive into an empty directory. A tenant made the archive, so this runs in a sandbox that contains
 * nothing else. The checks here give clear errors, but the protection is the sandbox.
 * @param {string} root
 * @param {import('./channels.mjs').Channel} channel
 */
export async function unpack(root, channel) {
  const { max_bytes: maxBytes, max_entries: maxEntries } = channel.request;
  const tree = createTree(root, { maxBytes, maxEntries });
  const reader = createTarReader(tree);
  /** @type {Buffer[]} */
  let arrived = [];
  const read = createParcelReader(largestParcel, (_head, body) => arrived.push(body));
  // The result is sent in the same stream, so the stream must stay open when its input ends.
  for await (const chunk of channel.iterator({ destroyOnReturn: false })) {
    read(chunk);
    const pieces = arrived;
    arrived = [];
    for (const piece of pieces) reader.write(await decompress(piece, { maxOutputLength: largestPiece }));
  }
  if (!reader.isOver()) throw new Error('the archive ends too early');
  return tree.finish();
}

/** @param {string} root @param {{ maxBytes: number, maxEntries: number }} limits */
function createTree(root, { maxBytes, maxEntries }) {
  const known = new Set(['.']);
  /** @type {Entry[]} */
  const directories = [];
  /** @type {{ file: number, entry: Entry } | null} */
  let open = null;
  let [entries, bytes] = [0, 0];

  /** Throws unless this archive created every directory above the path. @param {string} path */
  function enter(path) {
    if (known.has(path)) return;
    enter(dirname(path));
    mkdirSync(join(root, path), { recursive: true });
    if (!lstatSync(join(root, path)).isDirectory()) throw new Error('the archive writes through a link');
    known.add(path);
  }

  return {
    /** @param {Entry} entry */
    onEntry(entry) {
      const { kind, target } = entry;
      const path = mustBeInside(entry.path);
      entries += 1;
      bytes += entry.size;
      if (entries > maxEntries) throw new Error(`the archive has more than ${maxEntries} entries`);
      if (bytes > maxBytes) throw new Error(`the archive has more than ${maxBytes} bytes`);
      enter(dirname(path));
      const full = join(root, path);
      if (kind === 'directory') {
        enter(path);
        directories.push(entry);
      } else if (kind === 'link') symlinkSync(target, full);
      else if (kind === 'copy') linkSync(join(root, mustBeInside(target)), full);
      else open = { file: openSync(full, 'wx', 0o600), entry };
    },
    /** @param {Buffer} part */
    onContent(part) {
      if (open) for (let at = 0; at < part.length; ) at += writeSync(open.file, part, at);
    },
    onEnd() {
      if (!open) return;
      const { file, entry } = open;
      open = null;
      closeSync(file);
      const full = join(root, entry.path);
      if (entry.mode !== 0o600) chmodSync(full, entry.mode);
      utimesSync(full, entry.mtime / 1000, entry.mtime / 1000);
    },
    finish() {
      // Modes are set last, because a directory may not be writable.
      for (const { path, mode } of directories.reverse()) chmodSync(join(root, path), mode);
      return { entries, bytes };
    },
  };
}

/** @param {string} path */
function mustBeInside(path) {
  const isInside =
    path !== '' && path.length <= 4_096 && path.split('/').every((part) => !['', '.', '..'].includes(part));
  if (!isInside) throw new Error('the archive has a path that leads out of it');
  return path;
}
