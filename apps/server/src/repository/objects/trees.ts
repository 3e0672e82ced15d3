import { isUtf8 } from 'node:buffer';
import { compareKeys, newTreeCursor, readTreeEntry, type TreeCursor, TreeError } from './tree-bytes.ts';

export type TreeEntry = { mode: number; name: string; sha: Buffer };

export const directoryMode = 0o040000;

/** The id of a tree without entries, which git knows without storing it. */
export const emptyTree = Buffer.from('4b825dc642cb6eb9a060e54bf8d69288fbee4904', 'hex');

export function isDirectoryMode(mode: number): boolean {
  return (mode & 0o170000) === directoryMode;
}

/** A tree in git's canonical form and order, whatever the order of the entries given. */
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
 * The entries of a tree, in its order. Their ids are views into `content`. Refused are broken bytes, a wrong order and
 * repeated names; accepted are the zero-padded and group-writable modes that old tools have left in real histories.
 * What a name means (`..`, `.git`) is not judged here. One at a time, so that who reads a large one can stop and rest.
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

/** All of them at once, for a tree that is known to be small. */
export const decodeTree = (content: Buffer): TreeEntry[] => [...treeEntries(content)];

/**
 * Replaces, inserts and removes (null) entries by name. What is not touched is copied in runs of bytes, so that one
 * file in a directory of thousands costs a scan and no objects.
 *
 * A file and a directory of one name sort at different places (`a` before `a.b`, `a/` after it). Every edit therefore
 * marks both: an entry at either of them goes, and the new one is put at its own. As marks and tree are in the same
 * order, one merge does it. The tree must be in order (`decodeTree` has once accepted it, or `encodeTree` wrote it).
 */
export function editTree(
  content: Buffer | null,
  edits: ReadonlyMap<string, { mode: number; sha: Buffer } | null>,
): Buffer {
  const tree = content ?? Buffer.alloc(0);
  const marks = sortedMarks(edits);
  const parts: Buffer[] = [];
  const entry = newTreeCursor();
  let copied = 0;
  let next = 0;
  const copyUpTo = (end: number) => {
    if (end > copied) parts.push(tree.subarray(copied, end));
    copied = end;
  };
  for (let at = 0; at < tree.length && next < marks.length; at = entry.end) {
    readTreeEntry(tree, at, entry);
    for (let mark = marks[next]; mark; mark = marks[++next]) {
      const order = compareKeys(mark.key, mark.span, tree, entry);
      if (order > 0) break;
      if (mark.insert || order === 0) copyUpTo(at);
      if (mark.insert) parts.push(mark.insert);
      if (order === 0) copied = entry.end;
    }
  }
  copyUpTo(tree.length);
  for (const { insert } of marks.slice(next)) if (insert) parts.push(insert);
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
}

type Mark = { key: Buffer; span: TreeCursor; insert: Buffer | null };

function sortedMarks(edits: ReadonlyMap<string, { mode: number; sha: Buffer } | null>): Mark[] {
  const marks: Mark[] = [];
  for (const [name, edit] of edits) {
    const insert = edit && encodeEntry({ name, ...edit });
    const asDirectory = edit !== null && isDirectoryMode(edit.mode);
    marks.push(mark(sortKey(name, false), asDirectory ? null : insert));
    marks.push(mark(sortKey(name, true), asDirectory ? insert : null));
  }
  return marks.sort((a, b) => Buffer.compare(a.key, b.key));
}

/** The slash is part of the key already, so the span is that of a plain name. */
function mark(key: Buffer, insert: Buffer | null): Mark {
  return { key, span: { mode: 0, nameStart: 0, nameEnd: key.length, end: key.length }, insert };
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
