import { type Change, changeOf, type Splice } from './change.ts';

/** Maximum number of pairs of lines that are compared. If there are more, the differing part is replaced as a whole. */
const maxPairs = 1_000_000;

/** The change from `before` to `after`, by lines. Common beginnings and ends of a changed run are left out. */
export function diff(before: string, after: string): Change {
  return changeOf(runsOf(before, after).map(trimmed));
}

/** Lines that differ, and their positions in `before`. */
function runsOf(before: string, after: string): Run[] {
  if (before === after) return [];
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let [start, oldEnd, freshEnd] = [0, old.length, fresh.length];
  while (start < oldEnd && start < freshEnd && old[start] === fresh[start]) start += 1;
  while (oldEnd > start && freshEnd > start && old[oldEnd - 1] === fresh[freshEnd - 1])
    [oldEnd, freshEnd] = [oldEnd - 1, freshEnd - 1];
  const offset = old.slice(0, start).join('').length;
  const runs = differingRuns(old.slice(start, oldEnd), fresh.slice(start, freshEnd));
  return runs.map((run) => ({ ...run, from: offset + run.from }));
}

/** The number of units to insert or delete to turn one text into the other. For very long texts, an upper bound. */
export function distance(before: string, after: string): number {
  return runsOf(before, after).reduce((sum, { removed, inserted }) => {
    const isShort = removed.length * inserted.length <= maxPairs;
    const common = isShort ? commonPositions([...removed], [...inserted]) : [];
    const units = common.reduce((length, [at]) => length + ([...removed][at]?.length ?? 0), 0);
    return sum + removed.length + inserted.length - 2 * units;
  }, 0);
}

const linesOf = (text: string): string[] => text.split(/(?<=\n)/);

type Run = { from: number; removed: string; inserted: string };

function differingRuns(old: string[], fresh: string[]): Run[] {
  const common = old.length * fresh.length > maxPairs ? [] : commonPositions(old, fresh);
  const runs: Run[] = [];
  let [atOld, atFresh, offset] = [0, 0, 0];
  for (const [nextOld, nextFresh] of [...common, [old.length, fresh.length] as const]) {
    const removed = old.slice(atOld, nextOld).join('');
    const inserted = fresh.slice(atFresh, nextFresh).join('');
    if (removed !== '' || inserted !== '') runs.push({ from: offset, removed, inserted });
    offset += removed.length + (old[nextOld]?.length ?? 0);
    [atOld, atFresh] = [nextOld + 1, nextFresh + 1];
  }
  return runs;
}

/** A longest common subsequence, as pairs of positions. */
function commonPositions(old: string[], fresh: string[]): (readonly [number, number])[] {
  const width = fresh.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (one: number, other: number) => lengths[one * width + other] ?? 0;
  for (let one = old.length - 1; one >= 0; one--) {
    for (let other = fresh.length - 1; other >= 0; other--) {
      lengths[one * width + other] =
        old[one] === fresh[other] ? at(one + 1, other + 1) + 1 : Math.max(at(one + 1, other), at(one, other + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  let [one, other] = [0, 0];
  while (one < old.length && other < fresh.length) {
    if (old[one] === fresh[other]) pairs.push([one++, other++]);
    else if (at(one + 1, other) >= at(one, other + 1)) one += 1;
    else other += 1;
  }
  return pairs;
}

/** Removes the common beginning and end, but never splits a surrogate pair. */
function trimmed({ from, removed, inserted }: Run): Splice {
  const max = Math.min(removed.length, inserted.length);
  let head = 0;
  while (head < max && removed[head] === inserted[head]) head += 1;
  if (head > 0 && isHigh(removed.charCodeAt(head - 1))) head -= 1;
  let tail = 0;
  while (tail < max - head && removed.at(-1 - tail) === inserted.at(-1 - tail)) tail += 1;
  if (tail > 0 && isLow(removed.charCodeAt(removed.length - tail))) tail -= 1;
  return { from: from + head, to: from + removed.length - tail, insert: inserted.slice(head, inserted.length - tail) };
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Whether a position is between the two units of a surrogate pair. */
export const isWithinCharacter = (text: string, position: number): boolean =>
  isHigh(text.charCodeAt(position - 1)) && isLow(text.charCodeAt(position));
