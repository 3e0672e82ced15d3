/** Runs a task once there is room for it, in the order of arrival. A task that fails makes room like any other. */
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
      // The room is handed over, so that nobody who comes later takes it in between.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

export const createMutex = (): Semaphore => createSemaphore(1);
