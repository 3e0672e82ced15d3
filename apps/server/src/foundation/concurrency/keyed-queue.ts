/** Thrown if a task was not started, because its turn did not come in time. */
export class WaitedTooLong extends Error {}

/**
 * Runs one task per key at a time, in the order of arrival. Requests that write to the same project wait here, in
 * memory. Otherwise, each would occupy a database connection while it waits for the lock on the project's row. Writers
 * on other nodes still wait for that lock. A task that has waited longer than `patienceMs` is rejected and does not
 * run.
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

/**
 * Wraps a task. `late` rejects if the task has not begun within `patienceMs`. After that, the wrapped task does
 * nothing.
 */
function impatient<Result>(task: () => Promise<Result>, patienceMs: number) {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reject(new WaitedTooLong('the wait for a turn took too long'));
  }, patienceMs);
  const begin = (): Promise<Result> => {
    clearTimeout(timer);
    return isLate ? late : task();
  };
  return { begin, late };
}
