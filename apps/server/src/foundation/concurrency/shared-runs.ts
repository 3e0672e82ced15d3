type Waiting<Item, Result> = { item: Item; resolve(result: Result): void; reject(reason: unknown): void };

/**
 * For work that is cheaper in groups. Up to `runs` runs are in progress at the same time. Items that arrive while all
 * runs are busy share the next run, up to a total size of `max`. A single item does not wait for others.
 */
export function sharedRuns<Item, Result>({
  run,
  runs,
  max,
  sizeOf,
}: {
  /** Returns one result for each item, in their order. */
  run: (items: Item[]) => Promise<Result[]>;
  runs: number;
  max: number;
  sizeOf: (item: Item) => number;
}): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let running = 0;

  function take(): Waiting<Item, Result>[] {
    let size = 0;
    const end = waiting.findIndex(({ item }, index) => {
      size += sizeOf(item);
      return index > 0 && size > max;
    });
    const taken = end < 0 ? waiting : waiting.slice(0, end);
    waiting = end < 0 ? [] : waiting.slice(end);
    return taken;
  }

  async function runNext(): Promise<void> {
    const group = take();
    running++;
    try {
      const results = await run(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      running--;
      if (waiting.length > 0) void runNext();
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running < runs) void runNext();
    });
}
