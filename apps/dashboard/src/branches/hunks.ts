/** A conflict between git's markers. Lines are counted from 1, and include the markers. */
export type Hunk = {
  from: number;
  /** The line between both sides. */
  middle: number;
  to: number;
  ours: readonly string[];
  theirs: readonly string[];
};

export type Choice = 'ours' | 'theirs' | 'both';

const isStart = (line: string) => /^<{7}( |$)/.test(line);
const isBase = (line: string) => /^\|{7}( |$)/.test(line);
const isMiddle = (line: string) => /^={7}\r?$/.test(line);
const isEnd = (line: string) => /^>{7}( |$)/.test(line);

/** All complete conflicts in a text. A single marker without the others that belong to it counts as text. */
export function hunksIn(lines: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  for (let start = 0; start < lines.length; start++) {
    if (!isStart(lines[start] ?? '')) continue;
    const hunk = hunkAt(lines, start);
    if (!hunk) continue;
    hunks.push(hunk);
    start = hunk.to - 1;
  }
  return hunks;
}

function hunkAt(lines: readonly string[], start: number): Hunk | null {
  const after = (from: number, is: (line: string) => boolean) => lines.findIndex((line, at) => at > from && is(line));
  const middle = after(start, isMiddle);
  const end = middle === -1 ? -1 : after(middle, isEnd);
  const next = after(start, isStart);
  if (end === -1 || (next !== -1 && next < end)) return null;
  const base = after(start, isBase);
  return {
    from: start + 1,
    middle: middle + 1,
    to: end + 1,
    ours: lines.slice(start + 1, base !== -1 && base < middle ? base : middle),
    theirs: lines.slice(middle + 1, end),
  };
}

export const linesOf = ({ ours, theirs }: Hunk, choice: Choice): readonly string[] =>
  choice === 'both' ? [...ours, ...theirs] : choice === 'ours' ? ours : theirs;

/**
 * The index of the conflict at a line or after it. After the last conflict, it is the first one again. -1 if there is
 * none.
 */
export function currentIn(hunks: readonly Hunk[], line: number): number {
  const next = hunks.findIndex(({ to }) => to >= line);
  return next === -1 && hunks.length > 0 ? 0 : next;
}

/** The index that a conflict had among all conflicts that git found, some of which may be resolved by now. */
export const indexAmong = (all: readonly Hunk[], hunk: Hunk): number =>
  all.findIndex(({ ours, theirs }) => `${ours}` === `${hunk.ours}` && `${theirs}` === `${hunk.theirs}`);

export type Lines = { from: number; to: number };

/**
 * The lines of one side that belong to each conflict. The side contains them in the order of the conflicts, with other
 * text between them.
 */
export function placesOn(side: string, runs: readonly (readonly string[])[]): (Lines | null)[] {
  const lines = side.split(/\r?\n/);
  let from = 0;
  return runs.map((run) => {
    const at = lines.findIndex((_, index) => index >= from && run.length > 0 && isRunAt(lines, run, index));
    if (at === -1) return null;
    from = at + run.length;
    return { from: at + 1, to: from };
  });
}

const isRunAt = (lines: readonly string[], run: readonly string[], at: number): boolean =>
  run.every((line, index) => lines[at + index] === line.replace(/\r$/, ''));
