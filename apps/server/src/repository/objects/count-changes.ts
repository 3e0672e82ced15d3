import { diffLines } from './diff-lines.ts';
import { isBinary, type LineChanges, lineChanges } from './line-changes.ts';

export const noLines: LineChanges = { lines_added: 0, lines_removed: 0, lines_modified: 0 };

const slice = 65_536;
const newline = 0x0a;
/** Largest range of differing bytes that is compared line by line. A larger one counts as one change. */
const maxExactBytes = 1_048_576;

type Range = { start: number; oldEnd: number; newEnd: number };
type MaybeYield = () => Promise<void>;

/**
 * Counts the changed lines between two contents of any size. A linear scan skips equal lines at both ends. It runs in
 * slices and yields to the event loop. Binary content has no lines.
 */
export async function countChanges(old: Buffer, now: Buffer, maybeYield: MaybeYield): Promise<LineChanges> {
  if (isBinary(old) || isBinary(now)) return noLines;
  const { start, oldEnd, newEnd } = await differingRange(old, now, maybeYield);
  if (Math.max(oldEnd, newEnd) - start <= maxExactBytes) {
    // Read as Latin-1, because the comparison does not depend on the characters.
    return lineChanges(diffLines(old.toString('latin1', start, oldEnd), now.toString('latin1', start, newEnd)));
  }
  const oldCount = await countLines(old.subarray(start, oldEnd), maybeYield);
  const newCount = await countLines(now.subarray(start, newEnd), maybeYield);
  return lineChanges([{ oldStart: 0, oldCount, newStart: 0, newCount }]);
}

/** The range in which two texts differ. Both ends are at line starts or at the end of the text. */
async function differingRange(old: Buffer, now: Buffer, maybeYield: MaybeYield): Promise<Range> {
  const shorter = Math.min(old.length, now.length);
  let same = 0;
  while (same + slice <= shorter && areSame(old, same, now, same)) {
    same += slice;
    await maybeYield();
  }
  while (same < shorter && old[same] === now[same]) same++;
  const start = same === 0 ? 0 : old.lastIndexOf(newline, same - 1) + 1;
  let [oldEnd, newEnd] = [old.length, now.length];
  while (Math.min(oldEnd, newEnd) - slice >= start && areSame(old, oldEnd - slice, now, newEnd - slice)) {
    oldEnd -= slice;
    newEnd -= slice;
    await maybeYield();
  }
  while (Math.min(oldEnd, newEnd) > start && old[oldEnd - 1] === now[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  const beginsLine = (text: Buffer, at: number) => at === start || text[at - 1] === newline;
  if (beginsLine(old, oldEnd) && beginsLine(now, newEnd)) return { start, oldEnd, newEnd };
  const end = old.indexOf(newline, oldEnd);
  if (end === -1) return { start, oldEnd: old.length, newEnd: now.length };
  return { start, oldEnd: end + 1, newEnd: newEnd + end + 1 - oldEnd };
}

const areSame = (old: Buffer, oldStart: number, now: Buffer, newStart: number): boolean =>
  old.subarray(oldStart, oldStart + slice).equals(now.subarray(newStart, newStart + slice));

async function countLines(text: Buffer, maybeYield: MaybeYield): Promise<number> {
  let count = 0;
  for (let from = 0; from < text.length; from += slice) {
    await maybeYield();
    for (const byte of text.subarray(from, from + slice)) if (byte === newline) count++;
  }
  return text.length > 0 && text.at(-1) !== newline ? count + 1 : count;
}
