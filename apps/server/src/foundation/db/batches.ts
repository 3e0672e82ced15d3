const max = 5_000;
const quickMs = 250;
const slowMs = 1_000;

/**
 * Repeats `turn` until it finds fewer rows than requested. Each turn is a separate transaction, so nobody waits long
 * for it, and completed turns are not lost. The duration of a turn determines the number of rows of the next one,
 * because a row may have megabytes. It stops after `longestMs`, and the next run continues from there.
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
