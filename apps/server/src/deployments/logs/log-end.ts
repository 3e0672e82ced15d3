import type { Db } from '../../foundation/db/index.ts';
import { costOf, lineQueue } from './line-queue.ts';
import type { LogOf } from './log-book.ts';
import { cutLogLines, type NewLogLine } from './logs.sql.ts';
import type { Patiently } from './patient.ts';

type Options = {
  db: Db;
  of: LogOf;
  maxBytes: number;
  persist: Patiently;
  /** Returns the number of the first line. Null if the lines were lost. */
  append: (lines: NewLogLine[]) => Promise<number | null>;
};

const maxPerBatch = 5_000;
/** The most bytes in memory while lines are likely to be dropped. */
const maxHeld = 4 * 1024 * 1024;
/** The number of bytes that each write may store, even if they are deleted again later. */
const bytesPerWrite = 64 * 1024;

/**
 * Keeps the end of a long log, after a line that says how much was cut. The output uses memory and the database only at
 * a limited rate: it waits in a queue that drops its oldest lines. If lines were dropped, the part of the end that was
 * stored before them is deleted too. So the log has only one gap.
 */
export function logEnd({ db, of, maxBytes, persist, append }: Options) {
  const half = maxBytes / 2;
  const queue = lineQueue(Math.min(half, maxHeld));
  const stored: { first: number; last: number; bytes: number }[] = [];
  let storedBytes = 0;
  let allowance = half;
  let mark: number | null = null;
  let cut = 0;
  let told = 0;

  async function forget(count: number): Promise<void> {
    const gone = stored.splice(0, count);
    for (const { first, last, bytes } of gone) {
      storedBytes -= bytes;
      cut += last - first + 1;
    }
    const missing = cut + queue.dropped();
    if (mark === null || missing === told) return;
    told = missing;
    const message = `… ${missing} lines were cut here: a log can have at most ${maxBytes} bytes …`;
    const range = { at: mark, first: gone[0]?.first ?? 0, last: gone.at(-1)?.last ?? -1, message };
    await persist(() => cutLogLines(db, of, range));
  }

  /**
   * Keeps the end of the log in pieces, each at most an eighth of the limit. A piece is deleted as a whole, so a large
   * one would remove most of what is kept.
   */
  function remember(seq: number, bytes: number): void {
    const piece = stored.at(-1);
    if (piece?.last !== seq - 1 || piece.bytes + bytes > half / 8) {
      stored.push({ first: seq, last: seq, bytes });
      return;
    }
    piece.last = seq;
    piece.bytes += bytes;
  }

  async function storeAllowed(): Promise<void> {
    for (;;) {
      const { lines, bytes } = queue.take(maxPerBatch, allowance);
      if (lines.length === 0) return;
      allowance -= bytes;
      const first = await append(lines);
      if (first === null) continue;
      for (const [index, line] of lines.entries()) remember(first + index, costOf(line));
      storedBytes += bytes;
    }
  }

  let dropped = 0;
  return {
    add: queue.add,
    async write(isLast: boolean): Promise<void> {
      mark ??= await append([ours('The log is long; from here on, only its last lines are kept')]);
      if (queue.dropped() > dropped) await forget(stored.length);
      dropped = queue.dropped();
      allowance = isLast ? Number.POSITIVE_INFINITY : Math.min(half, allowance + bytesPerWrite);
      await storeAllowed();
      let old = 0;
      for (let bytes = storedBytes; bytes > half && old < stored.length - 1; old++) bytes -= stored[old]?.bytes ?? 0;
      await forget(old);
    },
  };
}

export const ours = (message: string): NewLogLine => ({ at: new Date(), level: 'warn', stream: 'system', message });
