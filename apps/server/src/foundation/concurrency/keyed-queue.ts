/** It was not begun: its turn did not come in time. */
export class WaitedTooLong extends Error {}

/**
 * Lets one task per key run at a time, in the order of their arrival. Writers of one project wait here, in memory,
 * instead of each holding a database connection while it waits for the same row. Other nodes' writers wait for the row.
 * Whoever has waited for longer than `patienceMs` is told so, and the task is left out.
 */
export function keyedQueue({ patienceMs }: { patienceMs?: number } = {}) {
  const last = new Map<string, Promise<unknown>>();
  return <Result>(key: string, task: () => Promise<Result>): Promise<Result> => {
    const before = last.get(key);
    const work = before && patienceMs !== undefined ? impatient(task, patienceMs) : { begin: task };
    const turn = (before ?? Promise.resolve()).then(work.begin, work.begin);
    const settled = turn
      .catch(() => undefined)
      .then(() => {
        if (last.get(key) === settled) last.delete(key);
      });
    last.set(key, settled);
    return 'late' in work ? Promise.race([turn, work.late]) : turn;
  };
}

export type KeyedQueue = ReturnType<typeof keyedQueue>;

/** The task, which does nothing once `late` has rejected. */
function impatient<Result>(task: () => Promise<Result>, patienceMs: number) {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reject(new WaitedTooLong('its turn did not come in time'));
  }, patienceMs);
  const begin = (): Promise<Result> => {
    clearTimeout(timer);
    return isLate ? late : task();
  };
  return { begin, late };
}
