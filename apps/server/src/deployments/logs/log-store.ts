import type { Db } from '../../foundation/db/index.ts';
import { costOf, lineQueue } from './line-queue.ts';
import type { LogOf } from './log-book.ts';
import { logEnd, ours } from './log-end.ts';
import { appendLogLines, type NewLogLine } from './logs.sql.ts';
import { patiently } from './patient.ts';

export type LogStore = {
  add(line: NewLogLine): void;
  /** Whether the space for the beginning is full. From then on, only the last of the further lines are kept. */
  isPastBeginning(): boolean;
  /** Stores waiting lines. Lines of the end are stored only at the allowed rate, unless this is the last write. */
  write(isLast: boolean): Promise<void>;
};

const maxPerBatch = 5_000;

type Options = { of: LogOf; maxBytes: number; isRuntime: boolean };

/**
 * Appends lines in batches. Half of the allowed bytes are for the beginning and half for the end. While the database is
 * down, lines wait. Lines that wait too long are lost, and the next stored line says so.
 */
export function openLogStore(db: Db, { of, maxBytes, isRuntime }: Options): LogStore {
  const persist = patiently();
  const beginning = lineQueue(Number.POSITIVE_INFINITY);
  let beginningBytes = 0;
  let lost = 0;
  const isPastBeginning = () => beginningBytes > maxBytes / 2;

  async function append(lines: NewLogLine[]): Promise<number | null> {
    const before = lost > 0 ? [ours(`… ${lost} lines were lost here: the database was unavailable …`)] : [];
    const first = await persist(() => appendLogLines(db, of, [...before, ...lines], { isRuntime }));
    lost = first === null ? lost + lines.length : 0;
    return first === null ? null : first + before.length;
  }

  const end = logEnd({ db, of, maxBytes, persist, append });
  return {
    add(line) {
      if (isPastBeginning()) return end.add(line);
      beginningBytes += costOf(line);
      beginning.add(line);
    },
    isPastBeginning,
    async write(isLast) {
      for (;;) {
        const { lines } = beginning.take(maxPerBatch);
        if (lines.length === 0) break;
        await append(lines);
      }
      if (isPastBeginning()) await end.write(isLast);
    },
  };
}
