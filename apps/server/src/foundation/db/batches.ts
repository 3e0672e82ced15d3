const max = 5_000;
const quickMs = 250;
const slowMs = 1_000;

/**
 * Repeats `turn` until it finds fewer rows than requested. Each turn is a separate transaction, so others do not wait
 * long for its locks, and an error does not undo completed turns. The number of rows of a turn depends on how long the
 * previous turn took, because a single row may have megabytes. No turn begins after `longestMs`. The remaining rows are
 * left to the next run.
 */
export async function inBatches(
  turn: (rows: number) => Promise<number>,
  { first = 100, longestMs = Number.POSITIVE_INFINITY }: { first?: number; longestMs?: number } = {},
): Promise<void> {
  const begun = performance.now();
  for (let rows = first; ; ) {
    const before = performance.now();
    if ((await turn(rows)) < rows) return;
    const now = performance.now();
    if (now - begun > longestMs) return;
    if (now - before < quickMs) rows = Math.min(rows * 2, max);
    else if (now - before > slowMs) rows = Math.max(Math.floor(rows / 2), 1);
  }
}
