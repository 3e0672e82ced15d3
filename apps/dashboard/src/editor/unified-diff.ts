import { Chunk } from '@codemirror/merge';
import { Text } from '@codemirror/state';

/** Number of unchanged lines that are shown around a change. */
const context = 3;

type Range = { fromA: number; toA: number; fromB: number; toB: number };

/** The hunks of a unified diff, as `Diff` shows them. */
export function unifiedDiff(before: string, after: string): string {
  const [a, b] = [linesOf(before), linesOf(after)];
  const [textA, textB] = [Text.of(a.length > 0 ? a : ['']), Text.of(b.length > 0 ? b : [''])];
  const ranges = Chunk.build(textA, textB, { timeout: 500 }).map(({ fromA, toA, fromB, toB }) => ({
    fromA: lineIndex(textA, fromA),
    toA: Math.min(lineIndex(textA, toA), a.length),
    fromB: lineIndex(textB, fromB),
    toB: Math.min(lineIndex(textB, toB), b.length),
  }));
  return hunksOf(ranges.map((range) => withoutSame(range, a, b)))
    .map((hunk) => hunkText(hunk, a, b))
    .join('\n');
}

/** The last line ending ends a line and does not start another. */
const linesOf = (text: string): string[] => {
  const lines = text.split(/\r\n?|\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
};

const lineIndex = (text: Text, offset: number): number =>
  offset > text.length ? text.lines : text.lineAt(offset).number - 1;

/**
 * Removes equal lines at both ends of a range. Changes are found by characters, so an added line ending can make the
 * unchanged text before it part of the range.
 */
function withoutSame({ fromA, toA, fromB, toB }: Range, a: string[], b: string[]): Range {
  while (fromA < toA && fromB < toB && a[fromA] === b[fromB]) [fromA, fromB] = [fromA + 1, fromB + 1];
  while (fromA < toA && fromB < toB && a[toA - 1] === b[toB - 1]) [toA, toB] = [toA - 1, toB - 1];
  return { fromA, toA, fromB, toB };
}

/** Groups ranges into hunks. Nearby changes share a hunk. */
function hunksOf(ranges: Range[]): Range[][] {
  const hunks: Range[][] = [];
  for (const range of ranges) {
    const last = hunks.at(-1);
    const end = last?.at(-1)?.toA;
    if (last && end !== undefined && range.fromA - end <= 2 * context) last.push(range);
    else hunks.push([range]);
  }
  return hunks;
}

function hunkText(ranges: Range[], a: string[], b: string[]): string {
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (!first || !last) return '';
  const lead = Math.min(context, first.fromA);
  const tail = Math.min(context, a.length - last.toA);
  const lines = marked(' ', a, first.fromA - lead, first.fromA);
  for (const [index, range] of ranges.entries()) {
    lines.push(...marked('-', a, range.fromA, range.toA), ...marked('+', b, range.fromB, range.toB));
    lines.push(...marked(' ', a, range.toA, ranges[index + 1]?.fromA ?? last.toA + tail));
  }
  const counts = [last.toA + tail - (first.fromA - lead), last.toB + tail - (first.fromB - lead)];
  return [`@@ -${first.fromA - lead + 1},${counts[0]} +${first.fromB - lead + 1},${counts[1]} @@`, ...lines].join('\n');
}

const marked = (sign: string, lines: string[], from: number, to: number): string[] =>
  lines.slice(from, to).map((line) => sign + line);
