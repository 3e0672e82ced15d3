import { isUtf8 } from 'node:buffer';
import {
  compareKeys,
  entryStarts,
  findPlace,
  keepStarts,
  newTreeCursor,
  readTreeEntry,
  type TreeCursor,
  TreeError,
} from './tree-bytes.ts';

export type TreeEntry = { mode: number; name: string; sha: Buffer };

export const directoryMode = 0o040000;

/** The id of the empty tree, which git knows without storing it. */
export const emptyTree = Buffer.from('4b825dc642cb6eb9a060e54bf8d69288fbee4904', 'hex');

export function isDirectoryMode(mode: number): boolean {
  return (mode & 0o170000) === directoryMode;
}

/** Encodes a tree in git's canonical form and order, for entries in any order. */
export function encodeTree(entries: readonly TreeEntry[]): Buffer {
  const names = new Set<string>();
  const keyed = entries.map((entry) => {
    if (names.has(entry.name)) throw new TreeError('malformed', `two entries are named ${JSON.stringify(entry.name)}`);
    names.add(entry.name);
    return { key: sortKey(entry.name, isDirectoryMode(entry.mode)), bytes: encodeEntry(entry) };
  });
  keyed.sort((a, b) => Buffer.compare(a.key, b.key));
  return Buffer.concat(keyed.map(({ bytes }) => bytes));
}

/**
 * The entries of a tree, in its order. Their ids are views into `content`. Broken bytes, a wrong order and repeated
 * names throw. Zero-padded and group-writable modes, which old tools left in real histories, are accepted. Whether a
 * name is allowed (`..`, `.git`) is not checked here. It is a generator, so that the reader of a large tree can pause.
 */
export function* treeEntries(content: Buffer): Generator<TreeEntry> {
  const names = new Set<string>();
  let [entry, former] = [newTreeCursor(), newTreeCursor()];
  for (let at = 0; at < content.length; at = entry.end) {
    [entry, former] = [former, entry];
    readTreeEntry(content, at, entry);
    if (at > 0 && compareKeys(content, former, content, entry) >= 0) {
      throw new TreeError('malformed', `the entry at byte ${at} is out of order`);
    }
    const name = decodeName(content, entry);
    if (names.has(name)) throw new TreeError('malformed', `two entries are named ${JSON.stringify(name)}`);
    names.add(name);
    yield { mode: entry.mode, name, sha: content.subarray(entry.nameEnd + 1, entry.end) };
  }
}

/** All entries at once, for a tree that is known to be small. */
export const decodeTree = (content: Buffer): TreeEntry[] => [...treeEntries(content)];

/**
 * Replaces, inserts and removes (null) entries by name. Unchanged parts are copied in runs of bytes, so changing one
 * file in a directory of thousands costs a scan but creates no objects.
 *
 * A file and a directory with the same name sort at different positions (`a` before `a.b`, `a/` after it). So every
 * edit marks both positions. An entry at either of them is removed, and the new one is inserted at its own position.
 * The tree must be in order (accepted by `decodeTree`, or written by `encodeTree`), so each mark is found by halves.
 */
export function editTree(
  content: Buffer | null,
  edits: ReadonlyMap<string, { mode: number; sha: Buffer } | null>,
): Buffer {
  const tree = content ?? Buffer.alloc(0);
  const starts = entryStarts(tree);
  const marks = sortedMarks(edits);
  const parts: Buffer[] = [];
  const newStarts = new Uint32Array(starts.length + marks.length);
  let [copied, next, length, count] = [0, 0, 0, 0];
  const copyUpTo = (end: number, index: number) => {
    if (end > copied) parts.push(tree.subarray(copied, end));
    const moved = length - copied;
    for (; next < index; next++) newStarts[count++] = (starts[next] as number) + moved;
    length += end - copied;
    copied = end;
  };
  for (const { key, insert } of marks) {
    const { index, at, found } = findPlace(tree, starts, key);
    if (insert || found) copyUpTo(at, index);
    if (insert) {
      parts.push(insert);
      newStarts[count++] = length;
      length += insert.length;
    }
    if (found) [copied, next] = [found.end, index + 1];
  }
  copyUpTo(tree.length, starts.length);
  const edited = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, length);
  keepStarts(edited, newStarts.slice(0, count));
  return edited;
}

type Mark = { key: Buffer; insert: Buffer | null };

function sortedMarks(edits: ReadonlyMap<string, { mode: number; sha: Buffer } | null>): Mark[] {
  const marks: Mark[] = [];
  for (const [name, edit] of edits) {
    const insert = edit && encodeEntry({ name, ...edit });
    const asDirectory = edit !== null && isDirectoryMode(edit.mode);
    marks.push({ key: sortKey(name, false), insert: asDirectory ? null : insert });
    marks.push({ key: sortKey(name, true), insert: asDirectory ? insert : null });
  }
  return marks.sort((a, b) => Buffer.compare(a.key, b.key));
}

function sortKey(name: string, asDirectory: boolean): Buffer {
  return Buffer.from(asDirectory ? `${name}/` : name);
}

function encodeEntry({ mode, name, sha }: TreeEntry): Buffer {
  if (name === '' || name.includes('/') || name.includes('\0') || !name.isWellFormed()) {
    throw new TreeError('malformed', `${JSON.stringify(name)} cannot be the name of an entry`);
  }
  if (sha.length !== 20) throw new TreeError('malformed', `the id of ${JSON.stringify(name)} has ${sha.length} bytes`);
  return Buffer.concat([Buffer.from(`${mode.toString(8)} ${name}\0`), sha]);
}

function decodeName(content: Buffer, { nameStart, nameEnd }: TreeCursor): string {
  const name = content.subarray(nameStart, nameEnd);
  if (isUtf8(name)) return name.toString();
  throw new TreeError('name-not-utf8', `the name at byte ${nameStart} is not UTF-8: ${escaped(name)}`);
}

function escaped(name: Buffer): string {
  return JSON.stringify(name.toString('latin1')).replace(
    /[\u0080-\u00ff]/g,
    (byte) => `\\x${byte.charCodeAt(0).toString(16)}`,
  );
}
