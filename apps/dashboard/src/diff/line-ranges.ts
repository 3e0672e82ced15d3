import { Chunk } from '@codemirror/merge';
import { Text } from '@codemirror/state';

/** Lines that differ, by their index from 0. The ends are exclusive. */
export type LineRange = { fromA: number; toA: number; fromB: number; toB: number };

/** Splits a text into lines. A line break at the end of the text does not start another line. */
export const linesOf = (text: string): string[] => {
  const lines = text.split(/\r\n?|\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
};

/** The lines in which two texts differ. */
export function lineRanges(a: string[], b: string[]): LineRange[] {
  const [textA, textB] = [Text.of(a.length > 0 ? a : ['']), Text.of(b.length > 0 ? b : [''])];
  return Chunk.build(textA, textB, { timeout: 500 })
    .map(({ fromA, toA, fromB, toB }) => ({
      fromA: lineIndex(textA, fromA),
      toA: Math.min(lineIndex(textA, toA), a.length),
      fromB: lineIndex(textB, fromB),
      toB: Math.min(lineIndex(textB, toB), b.length),
    }))
    .map((range) => withoutSame(range, a, b));
}

const lineIndex = (text: Text, offset: number): number =>
  offset > text.length ? text.lines : text.lineAt(offset).number - 1;

/**
 * Removes equal lines at both ends of a range. Changes are found by characters, so an added line ending can make the
 * unchanged text before it part of the range.
 */
function withoutSame({ fromA, toA, fromB, toB }: LineRange, a: string[], b: string[]): LineRange {
  while (fromA < toA && fromB < toB && a[fromA] === b[fromB]) [fromA, fromB] = [fromA + 1, fromB + 1];
  while (fromA < toA && fromB < toB && a[toA - 1] === b[toB - 1]) [toA, toB] = [toA - 1, toB - 1];
  return { fromA, toA, fromB, toB };
}
