import { type LineRange, lineRanges, linesOf } from '../diff/line-ranges.ts';

/** Number of unchanged lines that are shown around a change. */
const context = 3;

/** The hunks of a unified diff, as `Diff` shows them. */
export function unifiedDiff(before: string, after: string): string {
  const [a, b] = [linesOf(before), linesOf(after)];
  return hunksOf(lineRanges(a, b))
    .map((hunk) => hunkText(hunk, a, b))
    .join('\n');
}

/** Groups ranges into hunks. Nearby changes share a hunk. */
function hunksOf(ranges: LineRange[]): LineRange[][] {
  const hunks: LineRange[][] = [];
  for (const range of ranges) {
    const last = hunks.at(-1);
    const end = last?.at(-1)?.toA;
    if (last && end !== undefined && range.fromA - end <= 2 * context) last.push(range);
    else hunks.push([range]);
  }
  return hunks;
}

function hunkText(ranges: LineRange[], a: string[], b: string[]): string {
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
