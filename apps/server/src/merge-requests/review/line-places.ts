import { diffLines, type Hunk } from '../../repository/objects/diff-lines.ts';

/** A range of lines, counted from 1. `line` is the last one and belongs to the range. */
export type Lines = { start: number; line: number };

/** Finds lines of a text in a later text. Null if none of them is left. */
export function placeOfLines(before: string, after: string, { start, line }: Lines): Lines | null {
  if (before === after) return { start, line };
  const hunks = diffLines(before, after);
  const kept: number[] = [];
  for (let number = start; number <= line; number++) {
    const now = lineAfter(hunks, number);
    if (now !== null) kept.push(now);
  }
  const [first] = kept;
  const last = kept.at(-1);
  if (first !== undefined && last !== undefined) return { start: first, line: last };
  return onlyPlaceOf(before, after, { start, line });
}

/** The number of a line in the later text. Null if the line was changed or removed. */
function lineAfter(hunks: readonly Hunk[], line: number): number | null {
  let moved = 0;
  for (const { oldStart, oldCount, newCount } of hunks) {
    if (oldStart >= line) break;
    if (oldStart + oldCount >= line) return null;
    moved += newCount - oldCount;
  }
  return line + moved;
}

/**
 * Finds lines that were moved, which a diff shows as removed and added. They count as the same only if each text
 * contains them exactly once.
 */
function onlyPlaceOf(before: string, after: string, { start, line }: Lines): Lines | null {
  const old = before.split('\n');
  const wanted = old.slice(start - 1, line);
  if (wanted.every((text) => text.trim() === '')) return null;
  const [place, other] = placesOf(wanted, after.split('\n'));
  if (place === undefined || other !== undefined || placesOf(wanted, old).length !== 1) return null;
  return { start: place + 1, line: place + wanted.length };
}

function placesOf(wanted: readonly string[], lines: readonly string[]): number[] {
  const places: number[] = [];
  for (let at = 0; at + wanted.length <= lines.length && places.length < 2; at++) {
    if (wanted.every((text, index) => lines[at + index] === text)) places.push(at);
  }
  return places;
}

/** The share of a text's lines that another text has too. 1 means all of them. */
export function likeness(before: string, after: string): number {
  const lines = before.split('\n').filter((text) => text.trim() !== '');
  if (lines.length === 0) return 0;
  const other = new Set(after.split('\n'));
  return lines.filter((text) => other.has(text)).length / lines.length;
}
