type Handling<Item> = {
  /** Handles an item. Returns undefined if that was done immediately. */
  handle(item: Item): Promise<void> | undefined;
  failed(item: Item, error: unknown): void;
};

export type MessageQueue<Item> = { add(item: Item): void; waiting(): number; settled(): Promise<void> };

/** Handles items in the order of arrival. Each is handled immediately, unless an earlier one is still in progress. */
export function createMessageQueue<Item>({ handle, failed }: Handling<Item>): MessageQueue<Item> {
  let tail: Promise<void> | null = null;
  let waiting = 0;

  function enqueue(item: Item, task: () => Promise<void> | undefined): void {
    waiting += 1;
    const mine: Promise<void> = (tail ?? Promise.resolve())
      .then(task)
      .catch((error: unknown) => failed(item, error))
      .finally(() => {
        waiting -= 1;
        if (tail === mine) tail = null;
      });
    tail = mine;
  }

  return {
    add(item) {
      if (tail) {
        enqueue(item, () => handle(item));
        return;
      }
      try {
        const pending = handle(item);
        if (pending) enqueue(item, () => pending);
      } catch (error) {
        failed(item, error);
      }
    },
    waiting: () => waiting,
    settled: async () => {
      await tail;
    },
  };
}
