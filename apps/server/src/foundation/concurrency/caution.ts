const triesOfOne = 3;

/**
 * For work of many accounts that is done in batches: one item that always fails must not hold up all others. A batch that fails because of
 * what is in it becomes smaller until it is a single item, which is hopeless after three tries. After a success, batches grow again.
 */
export function createCaution(most: number) {
  let size = most;
  let failures = 0;
  let last: unknown = null;
  return {
    /** How many items the next batch may have. */
    size: () => size,
    /** The next batch is one item, and it is to be left out. */
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
      size = Math.min(most, size * 2);
    },
  };
}

/** SQLSTATE classes of bad data, of violated constraints, of limits that were exceeded, and of errors within the server. */
const stateOfBadData = /^(22|23|54|XX)[0-9A-Z]{3}$/;

/** Also where our own code fails on an item. A database that is away, a deadlock or a lack of memory says nothing about the items. */
function isAboutTheItems(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return stateOfBadData.test(code);
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}
