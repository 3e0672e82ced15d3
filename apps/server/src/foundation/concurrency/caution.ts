const triesOfOne = 3;

/**
 * For batches of work from many accounts: one item that always fails must not hold up the others. When a batch fails
 * because of its contents, the next one is smaller, down to a single item, which is hopeless after three tries. After a
 * success, batches grow again.
 */
export function createCaution(max: number) {
  let size = max;
  let failures = 0;
  let last: unknown = null;
  return {
    /** How many items the next batch may have. */
    size: () => size,
    /** The next batch is one item, and the caller should skip it. */
    isHopeless: () => failures >= triesOfOne,
    reason: () => (last instanceof Error ? last.message : String(last)),
    failed(error: unknown) {
      if (!isAboutTheItems(error)) return;
      failures = size === 1 ? failures + 1 : 0;
      size = Math.max(1, Math.floor(size / 8));
      last = error;
    },
    worked() {
      failures = 0;
      size = Math.min(max, size * 2);
    },
  };
}

/** SQLSTATE classes of bad data, violated constraints, exceeded limits and internal server errors. */
const stateOfBadData = /^(22|23|54|XX)[0-9A-Z]{3}$/;

/** Errors of our own code count. An unavailable database, a deadlock or a lack of memory is not about the items. */
function isAboutTheItems(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return stateOfBadData.test(code);
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}
