import { markChanges } from './myers.ts';

/** `oldCount` lines from `oldStart` (from 0) became `newCount` lines from `newStart`. One count may be 0. */
export type Hunk = { oldStart: number; oldCount: number; newStart: number; newCount: number };

/**
 * Maximum number of lines between the first and the last difference. With more, splitting the text alone would take too
 * long.
 */
const maxLines = 40_000;

const piece = 4096;

/**
 * The differences between two texts by lines, in order, with at least one equal line between two hunks. A line includes
 * its newline, so a last line without one differs from the same line with one.
 *
 * The result is the shortest for all ordinary texts. The work is limited: texts that are too large or too different
 * become one coarse hunk.
 */
export function diffLines(a: string, b: string): Hunk[] {
  if (a === b) return [];
  const { start, aEnd, bEnd } = differingRange(a, b);
  const before = countLines(a, 0, start);
  const aCount = countLines(a, start, aEnd);
  const bCount = countLines(b, start, bEnd);
  if (aCount + bCount > maxLines || aCount === 0 || bCount === 0) {
    return [{ oldStart: before, oldCount: aCount, newStart: before, newCount: bCount }];
  }
  const numbers = new Map<string, number>();
  const aLines = numberLines(a, start, aEnd, aCount, numbers);
  const bLines = numberLines(b, start, bEnd, bCount, numbers);
  return hunksOf(...markChanges(aLines, bLines, numbers.size), before);
}

/** Leaves out the equal lines at both ends, because most edits touch only a few of many lines. */
function differingRange(a: string, b: string): { start: number; aEnd: number; bEnd: number } {
  const shorter = Math.min(a.length, b.length);
  let same = 0;
  // Comparing slices is ten times as fast as comparing characters.
  while (same + piece < shorter && a.slice(same, same + piece) === b.slice(same, same + piece)) same += piece;
  while (same < shorter && a.charCodeAt(same) === b.charCodeAt(same)) same++;
  const start = same === 0 ? 0 : a.lastIndexOf('\n', same - 1) + 1;
  let [aEnd, bEnd] = [a.length, b.length];
  const room = () => Math.min(aEnd, bEnd) - start;
  while (room() > piece && a.slice(aEnd - piece, aEnd) === b.slice(bEnd - piece, bEnd)) {
    aEnd -= piece;
    bEnd -= piece;
  }
  while (room() > 0 && a.charCodeAt(aEnd - 1) === b.charCodeAt(bEnd - 1)) {
    aEnd--;
    bEnd--;
  }
  const beginsLine = (text: string, position: number) => position === start || text[position - 1] === '\n';
  if (beginsLine(a, aEnd) && beginsLine(b, bEnd)) return { start, aEnd, bEnd };
  const newline = a.indexOf('\n', aEnd);
  if (newline === -1) return { start, aEnd: a.length, bEnd: b.length };
  return { start, aEnd: newline + 1, bEnd: bEnd + newline + 1 - aEnd };
}

function countLines(text: string, start: number, end: number): number {
  let count = 0;
  for (let position = start; position < end; position++) if (text.charCodeAt(position) === 0x0a) count++;
  return end > start && text[end - 1] !== '\n' ? count + 1 : count;
}

/** Assigns numbers to lines. Equal lines have equal numbers, so that comparing is cheap. */
function numberLines(text: string, start: number, end: number, count: number, numbers: Map<string, number>) {
  const lines = new Int32Array(count);
  for (let line = 0, at = start; line < count; line++) {
    const newline = text.indexOf('\n', at);
    const next = newline === -1 ? end : newline + 1;
    const content = text.slice(at, next);
    const number = numbers.get(content) ?? numbers.size;
    if (number === numbers.size) numbers.set(content, number);
    lines[line] = number;
    at = next;
  }
  return lines;
}

function hunksOf(removed: Uint8Array, added: Uint8Array, before: number): Hunk[] {
  const hunks: Hunk[] = [];
  let [i, j] = [0, 0];
  while (i < removed.length || j < added.length) {
    const [oldStart, newStart] = [i, j];
    while (removed[i]) i++;
    while (added[j]) j++;
    if (i === oldStart && j === newStart) {
      i++;
      j++;
    } else {
      const [oldCount, newCount] = [i - oldStart, j - newStart];
      hunks.push({ oldStart: before + oldStart, oldCount, newStart: before + newStart, newCount });
    }
  }
  return hunks;
}
