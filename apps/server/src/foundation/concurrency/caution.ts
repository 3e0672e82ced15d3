const triesOfOne = 3;

/**
 * For batches of work from many accounts, in which one item that always fails must not block the others. When a batch
 * fails because of its contents, the next one is smaller, down to a single item. That item counts as hopeless after
 * three attempts. After a success, batches grow again.
 */
export function createCaution(max: number) {
  let size = max;
  let failures = 0;
  let last: unknown = null;
  return {
    /** The maximum number of items in the next batch. */
    size: () => size,
    /** Whether the next batch is a single item that the caller should skip. */
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

/**
 * Whether the items may have caused the error. Errors thrown by our own code count as caused by the items. An
 * unavailable database, a deadlock or a lack of memory do not.
 */
function isAboutTheItems(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return stateOfBadData.test(code);
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}
