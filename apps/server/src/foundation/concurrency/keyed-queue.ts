/**
 * Lets one task per key run at a time, in the order of their arrival. Writers of one project wait here, in memory,
 * instead of each holding a database connection while it waits for the same row. Other nodes' writers wait for the row.
 */
export function keyedQueue() {
  const last = new Map<string, Promise<unknown>>();
  return <Result>(key: string, task: () => Promise<Result>): Promise<Result> => {
    const turn = (last.get(key) ?? Promise.resolve()).then(task, task);
    const settled = turn
      .catch(() => undefined)
      .then(() => {
        if (last.get(key) === settled) last.delete(key);
      });
    last.set(key, settled);
    return turn;
  };
}

export type KeyedQueue = ReturnType<typeof keyedQueue>;
