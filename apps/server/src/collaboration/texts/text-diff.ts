import { diffLines } from '../../repository/objects/diff-lines.ts';
import { markChanges } from '../../repository/objects/myers.ts';

/** The old text between `from` and `to` became `insert`. */
export type Piece = { from: number; to: number; insert: string };

/**
 * Longest changed part that is compared by words, in characters. A longer part would take too long and is replaced as a
 * whole.
 */
const longestRefined = 20_000;
/** The same limit for all changed parts of one text together. */
const maxRefined = 100_000;

/**
 * The differences between two texts, in order: by lines, and by words within changed lines. So if two people change
 * different words of one line, both changes are kept. A difference never splits a surrogate pair.
 */
export function diffTexts(a: string, b: string): Piece[] {
  const aStarts = lineStarts(a);
  const bStarts = lineStarts(b);
  let left = maxRefined;
  return diffLines(a, b).flatMap(({ oldStart, oldCount, newStart, newCount }) => {
    const [from, to] = [startOf(aStarts, oldStart, a), startOf(aStarts, oldStart + oldCount, a)];
    const [newFrom, newTo] = [startOf(bStarts, newStart, b), startOf(bStarts, newStart + newCount, b)];
    const length = to - from + newTo - newFrom;
    const [old, now] = [a.slice(from, to), b.slice(newFrom, newTo)];
    if (length > longestRefined || length > left) return [{ from, to, insert: now }];
    left -= length;
    return refine(old, now, from);
  });
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

const startOf = (starts: number[], line: number, text: string): number => starts[line] ?? text.length;

const words = /[\p{L}\p{N}_]+|\s|[^\p{L}\p{N}_\s]/gu;

function refine(a: string, b: string, offset: number): Piece[] {
  if (a === '' || b === '') {
    return [{ from: offset, to: offset + a.length, insert: b }];
  }
  const numbers = new Map<string, number>();
  const [aWords, bWords] = [a.match(words) ?? [], b.match(words) ?? []];
  const [removed, added] = markChanges(numbered(aWords, numbers), numbered(bWords, numbers), numbers.size);
  const pieces: Piece[] = [];
  let [i, j, at] = [0, 0, offset];
  while (i < aWords.length || j < bWords.length) {
    const from = at;
    let insert = '';
    for (; removed[i]; i++) at += aWords[i]?.length ?? 0;
    for (; added[j]; j++) insert += bWords[j] ?? '';
    if (at > from || insert !== '') pieces.push({ from, to: at, insert });
    else {
      at += aWords[i]?.length ?? 0;
      i++;
      j++;
    }
  }
  return pieces;
}

function numbered(parts: readonly string[], numbers: Map<string, number>): Int32Array {
  return Int32Array.from(parts, (part) => {
    const number = numbers.get(part) ?? numbers.size;
    if (number === numbers.size) numbers.set(part, number);
    return number;
  });
}
