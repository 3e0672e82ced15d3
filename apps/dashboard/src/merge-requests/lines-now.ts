import { type LineRange, lineRanges, linesOf } from '../diff/line-ranges.ts';

/** How much of an edited line must be left, so that it counts as the same line. */
const leastLikeness = 0.5;
/** Maximum number of lines among which an edited line is searched. */
const maxSought = 1_000;

/**
 * Returns a function that finds a line of a version in the text on the screen, which may have been edited since. For a
 * line that is gone, it returns null, so that no comment is shown at a wrong line.
 */
export function linesNow(version: string, screen: Iterable<string>): (line: number) => number | null {
  // In a session, a carriage return is a part of the line.
  const [a, b] = [linesOf(version), Array.from(screen, (line) => line.replace(/\r$/, ''))];
  const ranges = lineRanges(a, b);
  return (line) => {
    const index = line - 1;
    const text = a[index];
    if (text === undefined) return null;
    const range = ranges.findLast(({ fromA, toA }) => fromA <= index && fromA < toA);
    // A range that contains no lines of the version lies between two of its lines, and moves those that follow.
    const before = ranges.findLast(({ toA }) => toA <= index);
    if (range && index < range.toA) return editedLine(text, b, range);
    return line + (before ? before.toB - before.toA : 0);
  };
}

function editedLine(text: string, lines: readonly string[], { fromB, toB }: LineRange): number | null {
  let best = { likeness: 0, line: 0 };
  for (let index = fromB; index < Math.min(toB, fromB + maxSought); index++) {
    const likeness = likenessOf(text.trim(), (lines[index] ?? '').trim());
    if (likeness > best.likeness) best = { likeness, line: index + 1 };
  }
  return best.likeness >= leastLikeness ? best.line : null;
}

/** How much of the longer line is the same at the beginning and at the end of both. */
function likenessOf(one: string, other: string): number {
  const [longer, shorter] = [Math.max(one.length, other.length), Math.min(one.length, other.length)];
  if (longer === 0) return 1;
  let same = 0;
  while (same < shorter && one[same] === other[same]) same++;
  let atEnd = 0;
  while (atEnd < shorter - same && one.at(-1 - atEnd) === other.at(-1 - atEnd)) atEnd++;
  return (same + atEnd) / longer;
}
