/** One task after the other, whatever becomes of the one before. */
export function inOrder(first: Promise<unknown> = Promise.resolve()) {
  let last = first;
  return <Result>(task: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(task, task);
    last = turn.catch(() => undefined);
    return turn;
  };
}

type Handling<Item> = {
  /** Undefined: done at once. */
  handle(item: Item): Promise<void> | undefined;
  failed(item: Item, error: unknown): void;
};

export type Arrivals<Item> = { take(item: Item): void; waiting(): number; settled(): Promise<void> };

/** Items in the order of their arrival. Each is handled at once, unless one before it still waits for something. */
export function arrivals<Item>({ handle, failed }: Handling<Item>): Arrivals<Item> {
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
    take(item) {
      if (tail) {
        enqueue(item, () => handle(item));
        return;
      }
      try {
        const under = handle(item);
        if (under) enqueue(item, () => under);
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
