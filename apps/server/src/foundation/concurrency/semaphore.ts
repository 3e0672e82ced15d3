/** Runs tasks in the order of arrival, each once a slot is free. A failed task also frees its slot. */
export type Semaphore = <Result>(task: () => Promise<Result>) => Promise<Result>;

export function createSemaphore(limit: number): Semaphore {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running < limit) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      // The slot is handed over directly, so a later task cannot take it in between.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

export const createMutex = (): Semaphore => createSemaphore(1);
