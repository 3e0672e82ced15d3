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
