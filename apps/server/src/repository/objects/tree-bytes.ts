/** `conflict` means that a path would be both a file and a directory. */
export type TreeErrorReason = 'malformed' | 'name-not-utf8' | 'conflict';

export class TreeError extends Error {
  override readonly name = 'TreeError';
  readonly reason: TreeErrorReason;

  constructor(reason: TreeErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * The positions of an entry's parts in the bytes of a tree. One cursor is used for a whole scan, so nothing is
 * allocated per entry.
 */
export type TreeCursor = { mode: number; nameStart: number; nameEnd: number; end: number };

export function newTreeCursor(): TreeCursor {
  return { mode: 0, nameStart: 0, nameEnd: 0, end: 0 };
}

/** Reads `octal-mode SP name NUL sha` at `at`. It uses plain loops, because a native search per field costs more. */
export function readTreeEntry(content: Buffer, at: number, entry: TreeCursor): void {
  let mode = 0;
  let position = at;
  for (; content[position] !== 0x20; position++) {
    const digit = (content[position] ?? 0) - 0x30;
    if (digit < 0 || digit > 7 || position - at === 7) throw new TreeError('malformed', `no mode at byte ${at}`);
    mode = mode * 8 + digit;
  }
  if (position === at || mode > 0o177777) throw new TreeError('malformed', `no mode at byte ${at}`);
  entry.mode = mode;
  entry.nameStart = ++position;
  for (; content[position] !== 0; position++) {
    if (position >= content.length) throw new TreeError('malformed', `the name at byte ${entry.nameStart} has no end`);
    if (content[position] === 0x2f) throw new TreeError('malformed', `a slash in the name at byte ${entry.nameStart}`);
  }
  if (position === entry.nameStart) throw new TreeError('malformed', `an empty name at byte ${position}`);
  entry.nameEnd = position;
  entry.end = position + 21;
  if (entry.end > content.length) throw new TreeError('malformed', `the id at byte ${position + 1} is incomplete`);
}

/** A mode of one digit, a space, a name of one character, NUL, and the id. */
const shortestEntry = 24;

/** Cached, because a large tree is searched, changed and compared with later versions again and again. */
const startsOfLarge = new WeakMap<Buffer, Uint32Array>();
const large = 16_384;

/**
 * Finds where each entry of a tree begins. The tree must have been read and checked before, because nothing is checked
 * again. A full reading of a directory with thousands of files would be most of the work of a write to it.
 */
export function entryStarts(content: Buffer): Uint32Array {
  const known = startsOfLarge.get(content);
  if (known) return known;
  const starts = new Uint32Array(Math.ceil(content.length / shortestEntry));
  let count = 0;
  for (let at = 0; at < content.length; at += 21) {
    starts[count++] = at;
    at += 3;
    // Neither a mode nor a name contains NUL.
    while (content[at] !== 0 && at < content.length) at++;
  }
  return keepStarts(content, starts.slice(0, count));
}

/** Remembers where the entries of a large tree begin, for as long as the tree is in memory. */
export function keepStarts(content: Buffer, starts: Uint32Array): Uint32Array {
  if (content.length >= large) startsOfLarge.set(content, starts);
  return starts;
}

type Place = {
  /** The index of the first entry that is not before the key. `at` is where that entry begins. */
  index: number;
  at: number;
  /** The entry at `index` if it has this key, otherwise null. */
  found: TreeCursor | null;
};

/** Finds the place of a key in a tree by binary search. */
export function findPlace(content: Buffer, starts: Uint32Array, key: Buffer): Place {
  const span = { mode: 0, nameStart: 0, nameEnd: key.length, end: key.length };
  const entry = newTreeCursor();
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = starts[middle] as number;
    readTreeEntry(content, at, entry);
    const order = compareKeys(key, span, content, entry);
    if (order === 0) return { index: middle, at, found: entry };
    if (order > 0) low = middle + 1;
    else high = middle;
  }
  return { index: low, at: starts[low] ?? content.length, found: null };
}

/** Compares two names in git's order: bytewise, with a slash after a directory's name. */
export function compareKeys(aBytes: Buffer, a: TreeCursor, bBytes: Buffer, b: TreeCursor): number {
  const aLength = a.nameEnd - a.nameStart;
  const bLength = b.nameEnd - b.nameStart;
  for (let i = 0; ; i++) {
    const aByte = i < aLength ? (aBytes[a.nameStart + i] as number) : endByte(a, i - aLength);
    const bByte = i < bLength ? (bBytes[b.nameStart + i] as number) : endByte(b, i - bLength);
    if (aByte !== bByte) return aByte - bByte;
    if (aByte === -1) return 0;
  }
}

function endByte({ mode }: TreeCursor, beyond: number): number {
  return beyond === 0 && (mode & 0o170000) === 0o040000 ? 0x2f : -1;
}
