// @ts-check
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants as zlib, zstdCompress } from 'node:zlib';
import { entriesOf, lstatOf } from './disk-files.mjs';
import { createIgnored } from './ignored.mjs';
import { encodeParcel } from './parcels.mjs';
import { encodeHeaders, endOfArchive, paddingOf } from './tar.mjs';

/**
 * @typedef {import('./channels.mjs').Channel} Channel
 * @typedef {import('./tar.mjs').Entry} Entry
 */

const compress = promisify(zstdCompress);
const quickly = { params: { [zlib.ZSTD_c_compressionLevel]: 1 } };
/**
 * Limits for pieces. Between them, the name of a file decides whether a piece ends with it, so that a change of one
 * file leaves most other pieces unchanged.
 */
const smallestPiece = 262_144;
const largestPiece = 1_048_576;
const readBytes = 262_144;
/** The time within which a file may change again without getting a newer time. */
const unsureMs = 20;
const maxEntries = 1_000_000;

/**
 * Sends all files that the branch does not have, in compressed pieces of an archive. A file that changes meanwhile is
 * packed in one of its states. Sends nothing if the files still have the fingerprint `unless`.
 * @param {string} root
 * @param {Channel} channel
 */
export async function pack(root, channel) {
  const { unless, max_bytes: maxBytes, file_bytes: fileBytes } = channel.request;
  channel.resume();
  const entries = await listEntries(root, fileBytes);
  const fingerprint = fingerprintOf(entries);
  if (fingerprint === unless) return { fingerprint, unchanged: true, entries: entries.length };
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  if (total > maxBytes) throw new Error('they have more bytes than a workspace may have');
  if (entries.length === 0) return { fingerprint, entries: 0, bytes: 0 };
  let bytes = 0;
  /** @type {Promise<Buffer> | null} */
  let under = null;
  const sendLast = async () => {
    if (under) await send(channel, encodeParcel({}, await under));
    under = null;
  };
  for (const piece of piecesOf(root, entries)) {
    bytes += piece.length;
    if (bytes > 2 * maxBytes + largestPiece) throw new Error('they have more bytes than a workspace may have');
    await sendLast();
    under = compress(piece, quickly);
  }
  await sendLast();
  return { fingerprint, entries: entries.length, bytes };
}

/** @param {Channel} channel @param {Buffer} parcel */
async function send(channel, parcel) {
  if (channel.destroyed) throw new Error('the service needs it no more');
  if (channel.write(parcel)) return;
  await new Promise((resolve) => channel.once('drain', resolve).once('close', resolve));
}

/**
 * The entries that the branch does not have: files that git ignores, links, and files that are too large for the
 * branch. `.git` is left out, because the service writes it itself.
 * @param {string} root
 * @param {number} fileBytes
 */
async function listEntries(root, fileBytes) {
  const ignored = createIgnored(root);
  /** @type {(Entry & { inode: number | null })[]} */
  const found = [];
  /** @type {{ directory: string, isIgnored: boolean }[]} */
  const left = [{ directory: '', isIgnored: false }];
  let looked = 0;
  for (let next = left.pop(); next; next = left.pop()) {
    const { directory, isIgnored } = next;
    for (const { name } of entriesOf(join(root, directory))) {
      const path = join(directory, name);
      if (path === '.git' || path.startsWith('.bottega-')) continue;
      looked += 1;
      // A pause, so that terminals and commands are served meanwhile.
      if (looked % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
      if (found.length > maxEntries) throw new Error(`they are more than ${maxEntries} files`);
      const stats = lstatOf(join(root, path));
      if (!stats) continue;
      const isOut = isIgnored || ignored.has(path, stats.isDirectory());
      const entry = { path, mode: stats.mode & 0o777, size: 0, mtime: 0, target: '', inode: null };
      if (stats.isDirectory()) {
        left.push({ directory: path, isIgnored: isOut });
        if (isOut) found.push({ ...entry, kind: 'directory' });
      } else if (stats.isSymbolicLink()) found.push({ ...entry, kind: 'link', target: targetOf(join(root, path)) });
      else if (stats.isFile() && (isOut || stats.size > fileBytes)) {
        const inode = stats.nlink > 1 ? stats.ino : null;
        found.push({ ...entry, kind: 'file', size: stats.size, mtime: Math.round(stats.mtimeMs), inode });
      }
    }
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** @param {string} path */
function targetOf(path) {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** @param {Entry[]} entries */
function fingerprintOf(entries) {
  const hash = createHash('sha256');
  const unsureSince = Date.now() - unsureMs;
  let isUnsure = false;
  for (const { path, kind, mode, size, mtime, target } of entries) {
    hash.update(JSON.stringify([path, kind, mode, size, mtime, target]));
    isUnsure ||= mtime >= unsureSince;
  }
  // A file that was just written may change again without a newer time, so the next fingerprint must differ.
  if (isUnsure) hash.update(randomBytes(16));
  return hash.digest('hex');
}

/** @param {string} root @param {(Entry & { inode: number | null })[]} entries */
function* piecesOf(root, entries) {
  /** @type {Buffer[]} */
  let parts = [];
  let length = 0;
  const take = () => {
    const piece = Buffer.concat(parts);
    parts = [];
    length = 0;
    return piece;
  };
  /** @type {Map<number, string>} */
  const first = new Map();
  for (const entry of entries) {
    const { path, inode } = entry;
    if (length >= smallestPiece && endsPiece(path)) yield take();
    const of = inode === null ? undefined : first.get(inode);
    if (inode !== null && of === undefined) first.set(inode, path);
    const packed = of === undefined ? entry : { ...entry, kind: /** @type {const} */ ('copy'), size: 0, target: of };
    for (const part of packed.kind === 'file' ? fileParts(root, packed) : [encodeHeaders(packed)]) {
      parts.push(part);
      length += part.length;
      if (length >= largestPiece) yield take();
    }
  }
  parts.push(endOfArchive);
  yield take();
}

/** @param {string} path */
const endsPiece = (path) => createHash('sha1').update(path).digest().readUInt8(0) % 8 === 0;

/**
 * A file's header and content. The header comes first, so the content has the size that the file had when it was opened.
 * @param {string} root
 * @param {Entry} entry
 */
function* fileParts(root, entry) {
  /** @type {number} */
  let file;
  try {
    file = openSync(join(root, entry.path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    // The file was removed meanwhile, or cannot be read.
    return;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return;
    const { size } = stats;
    yield encodeHeaders({ ...entry, size, mtime: Math.round(stats.mtimeMs) });
    for (let left = size; left > 0; ) {
      // If the file has become shorter meanwhile, zeroes fill the rest.
      const part = Buffer.alloc(Math.min(left, readBytes));
      let filled = 0;
      while (filled < part.length) {
        const read = readSync(file, part, filled, part.length - filled, null);
        if (read === 0) break;
        filled += read;
      }
      left -= part.length;
      yield part;
    }
    yield Buffer.alloc(paddingOf(size));
  } finally {
    closeSync(file);
  }
}
