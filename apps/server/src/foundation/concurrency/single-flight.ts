/** Who asks for a key while the work for it is under way waits for the same result. */
export function singleFlight<Key, Rest extends unknown[], Result>(
  work: (key: Key, ...rest: Rest) => Promise<Result>,
): (key: Key, ...rest: Rest) => Promise<Result> {
  const flights = new Map<Key, Promise<Result>>();
  return (key, ...rest) => {
    const flight = flights.get(key) ?? work(key, ...rest).finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}

/**
 * For work whose result must not be older than the question, such as reading what has changed: one at a time, and who
 * asks while it runs shares the next run, which begins after they asked.
 */
export function freshFlight<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null;
  let next: Promise<Result> | null = null;

  function run(): Promise<Result> {
    // Where a next run waits, it takes this one's place itself: in between, nobody finds the place free.
    running = work().finally(() => {
      if (!next) running = null;
    });
    return running;
  }

  function runNext(): Promise<Result> {
    next = null;
    return run();
  }

  return () => {
    if (!running) return run();
    next ??= running.then(runNext, runNext);
    return next;
  };
}
