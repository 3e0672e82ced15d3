import type { DiffLine } from './parse-diff.ts';

/** The side of a diff: `LEFT` is before, `RIGHT` is after. */
export type Side = 'LEFT' | 'RIGHT';

/** Indexes of lines that are next to each other. A unified row has one line, a split row has one on each side. */
export type DiffRow = { left: number | null; right: number | null; isWhole: boolean };

export type DiffView = 'unified' | 'split';

/** Number of rows that enter and leave the page together. */
const rowsOfBlock = 60;

const whole = (index: number): DiffRow => ({ left: null, right: index, isWhole: true });

/** In the split view, removed lines are next to the added lines that follow them. */
export function rowsOf(lines: readonly DiffLine[], view: DiffView): DiffRow[] {
  if (view === 'unified') return lines.map((_line, index) => whole(index));
  const rows: DiffRow[] = [];
  for (let index = 0; index < lines.length; ) {
    const kind = lines[index]?.kind;
    if (kind === 'place') rows.push(whole(index++));
    else if (kind === 'same') rows.push({ left: index, right: index++, isWhole: false });
    else {
      const added = endOfRun(lines, index, 'removed');
      const end = endOfRun(lines, added, 'added');
      const height = Math.max(added - index, end - added);
      for (let step = 0; step < height; step++) {
        const [left, right] = [index + step, added + step];
        rows.push({ left: left < added ? left : null, right: right < end ? right : null, isWhole: false });
      }
      index = end;
    }
  }
  return rows;
}

export function endOfRun(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let end = from;
  while (lines[end]?.kind === kind) end++;
  return end;
}

export function inBlocks(rows: readonly DiffRow[]): DiffRow[][] {
  const blocks: DiffRow[][] = [];
  for (let from = 0; from < rows.length; from += rowsOfBlock) blocks.push(rows.slice(from, from + rowsOfBlock));
  return blocks;
}

/** The place that a comment on the line has. An unchanged line belongs to the right side. */
export function placeOf(line: DiffLine): { side: Side; line: number } | null {
  if (line.after !== null) return { side: 'RIGHT', line: line.after };
  return line.before === null ? null : { side: 'LEFT', line: line.before };
}
