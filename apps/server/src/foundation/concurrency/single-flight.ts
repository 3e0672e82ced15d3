/** While the work for a key is in progress, further calls with that key wait for the same result. */
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
 * For results that must not be older than the call, such as a read of recent changes. Only one run is in progress at a
 * time. Calls during a run share the next run, which begins after them.
 */
export function freshFlight<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null;
  let next: Promise<Result> | null = null;

  function run(): Promise<Result> {
    // If another run is waiting, `running` is not reset: the waiting run takes this place itself. So no call can start
    // a third run in between.
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
