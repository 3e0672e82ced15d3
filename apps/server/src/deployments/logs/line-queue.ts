import type { NewLogLine } from './logs.sql.ts';

export type LineQueue = {
  add(line: NewLogLine): void;
  /** Removes the oldest lines, up to these limits. */
  take(maxLines: number, maxBytes?: number): { lines: NewLogLine[]; bytes: number };
  /** Number of lines dropped so far. */
  dropped(): number;
};

/** The cost of a line. Even an empty line has a cost. */
export const costOf = ({ message }: NewLogLine): number => Buffer.byteLength(message) + 16;

/** A queue of lines with a limit in bytes. Beyond it the oldest lines are dropped and counted. */
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
    // The array is not shortened after every line, because moving the remaining lines takes time.
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
    take(maxLines, maxBytes = Number.POSITIVE_INFINITY) {
      const lines: NewLogLine[] = [];
      let bytes = 0;
      while (lines.length < maxLines) {
        const next = waiting[from];
        if (!next || bytes + next.bytes > maxBytes) break;
        lines.push(next.line);
        bytes += next.bytes;
        takeOne();
      }
      return { lines, bytes };
    },
    dropped: () => dropped,
  };
}
