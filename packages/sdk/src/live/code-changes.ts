import type { CodeChange, TextPosition } from '../generated/types.ts';
import { type Change, changeOf, type Splice, splicesOf } from './change.ts';

/** Lines and columns count from 1, in UTF-16 units. A line ends at `\n`. */

/** Offsets at which lines begin. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Finds many positions in one text. */
export function placesOf(text: string) {
  const starts = lineStarts(text);
  return {
    positionAt(offset: number): TextPosition {
      let [low, high] = [0, starts.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((starts[middle] ?? 0) <= offset) low = middle;
        else high = middle - 1;
      }
      return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
    },
    /** Returns the offset of a position or, if the text has no such position, of the nearest one. */
    offsetAt({ line, column }: TextPosition): number {
      const start = starts[line - 1];
      if (start === undefined) return text.length;
      return Math.min(start + column - 1, (starts[line] ?? text.length + 1) - 1);
    },
  };
}

/** Changes in the form that the service expects. Positions refer to the text before the change. */
export function asCodeChanges(before: string, change: Change): CodeChange[] {
  const { positionAt } = placesOf(before);
  return splicesOf(change).map(({ from, to, insert }): CodeChange => {
    const position = positionAt(from);
    if (from === to) return { type: 'insert', position, text: insert };
    const end = positionAt(to);
    return insert === '' ? { type: 'delete', position, end } : { type: 'replace', position, end, text: insert };
  });
}

/** Changes in the form that the service sends. */
export function asChange(before: string, changes: readonly CodeChange[]): Change {
  const { offsetAt } = placesOf(before);
  return changeOf(
    changes.map((change): Splice => {
      const from = offsetAt(change.position);
      const to = change.type === 'insert' ? from : offsetAt(change.end);
      return { from, to, insert: change.type === 'delete' ? '' : change.text };
    }),
  );
}
