import type { NewLogLine } from './logs.sql.ts';

export type LineQueue = {
  add(line: NewLogLine): void;
  /** The oldest, so many of them and so many bytes at most. */
  take(mostLines: number, mostBytes?: number): { lines: NewLogLine[]; bytes: number };
  /** How many were dropped so far. */
  dropped(): number;
};

/** So that a line costs something even when it is empty. */
export const costOf = ({ message }: NewLogLine): number => Buffer.byteLength(message) + 16;

/** Lines that wait, up to so many bytes: beyond them the oldest are dropped, and counted. */
export function lineQueue(capacity: number): LineQueue {
  let waiting: ({ line: NewLogLine; bytes: number } | undefined)[] = [];
  let from = 0;
  let held = 0;
  let dropped = 0;

  function takeOne() {
    const one = waiting[from];
    if (!one) return undefined;
    waiting[from++] = undefined;
    held -= one.bytes;
    // Not with every line: to move those behind it takes as long as there are many.
    if (from > 10_000 && from > waiting.length / 2) {
      waiting = waiting.slice(from);
      from = 0;
    }
    return one;
  }

  return {
    add(line) {
      const bytes = costOf(line);
      waiting.push({ line, bytes });
      held += bytes;
      while (held > capacity && takeOne()) dropped++;
    },
    take(mostLines, mostBytes = Number.POSITIVE_INFINITY) {
      const lines: NewLogLine[] = [];
      let bytes = 0;
      while (lines.length < mostLines) {
        const next = waiting[from];
        if (!next || bytes + next.bytes > mostBytes) break;
        lines.push(next.line);
        bytes += next.bytes;
        takeOne();
      }
      return { lines, bytes };
    },
    dropped: () => dropped,
  };
}
