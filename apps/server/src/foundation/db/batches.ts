const most = 5_000;
const quickMs = 250;
const slowMs = 1_000;

/**
 * Repeats work on a number of rows until there is less to do than it was asked for. Each turn is a transaction of its
 * own, so that nobody waits long for it and what is done stays done. How many rows a turn takes follows from how long
 * the last one took: a row may have megabytes. Where the time is up, the next run goes on; without a limit it is until
 * all is done.
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
    if (now - before < quickMs) rows = Math.min(rows * 2, most);
    else if (now - before > slowMs) rows = Math.max(Math.floor(rows / 2), 1);
  }
}
