import { parseDiff } from './parse-diff.ts';

/** The new text of a range of lines. Null if the diff does not contain all of them. */
export function linesIn(diff: string, from: number, to: number): string | null {
  const lines = parseDiff(diff).filter(({ after }) => after !== null && from <= after && after <= to);
  return lines.length === to - from + 1 ? lines.map(({ text }) => text).join('\n') : null;
}
