import type { TreeRow } from './file-tree.ts';

/** What a key does in a tree: it goes to another row, or opens or closes a folder. */
export type Step = { to: number } | { folder: string } | null;

/** Rows that Page Up and Page Down pass. */
const page = 20;

/** The keys of the tree pattern of WAI-ARIA. A letter goes to the next name that begins with it. */
export function stepOf(rows: readonly TreeRow[], at: number, key: string): Step {
  const row = rows[at];
  if (!row) return null;
  const { file, isOpen } = row;
  const isFolder = file.type === 'directory';
  const to = (index: number): Step => ({ to: Math.min(Math.max(index, 0), rows.length - 1) });
  switch (key) {
    case 'ArrowDown':
      return to(at + 1);
    case 'ArrowUp':
      return to(at - 1);
    case 'PageDown':
      return to(at + page);
    case 'PageUp':
      return to(at - page);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows.length - 1);
    case 'ArrowRight':
      return isOpen ? to(at + 1) : isFolder ? { folder: file.path } : null;
    case 'ArrowLeft':
      return isOpen ? { folder: file.path } : to(parentIn(rows, at));
    default:
      return /^[\p{L}\p{N}._-]$/u.test(key) ? to(nextNamed(rows, at, key)) : null;
  }
}

function parentIn(rows: readonly TreeRow[], at: number): number {
  const level = rows[at]?.level ?? 1;
  const parent = rows.slice(0, at).findLastIndex((row) => row.level < level);
  return parent === -1 ? at : parent;
}

function nextNamed(rows: readonly TreeRow[], at: number, letter: string): number {
  const wanted = letter.toLowerCase();
  const isNamed = ({ file }: TreeRow) => file.name.toLowerCase().startsWith(wanted);
  const after = rows.findIndex((row, index) => index > at && isNamed(row));
  const first = after === -1 ? rows.findIndex(isNamed) : after;
  return first === -1 ? at : first;
}
