import { setTimeout as delay } from 'node:timers/promises';

type Options = {
  round: () => Promise<void>;
  everyMs: number;
  /** Called on each tick. Returns whether to run a round although nobody requested one. */
  onTick: () => boolean;
  onError: (error: unknown) => void;
};

const afterErrorMs = 500;

export type Poller = ReturnType<typeof startPolling>;

/** Runs rounds one at a time: on request, and on a tick if `onTick` says so. */
export function startPolling({ round, everyMs, onTick, onError }: Options) {
  const stopping = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  let running: Promise<void> | null = null;
  let again = false;

  async function run(): Promise<void> {
    do {
      again = false;
      try {
        await round();
      } catch (error) {
        onError(error);
        again = true;
        await pause(afterErrorMs);
      }
    } while (again && !stopping.signal.aborted);
    running = null;
  }

  function wake(): void {
    if (running) again = true;
    else if (!stopping.signal.aborted) running = run();
  }

  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  const interval = setInterval(() => {
    if (onTick()) wake();
  }, everyMs);
  return {
    /** Runs a round immediately, or another one after the current round. */
    wake,
    wakeIn(ms: number) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        wake();
      }, ms);
      timers.add(timer);
    },
    isStopping: () => stopping.signal.aborted,
    /** Waits for a time, but not after the polling was stopped. */
    pause,
    /** Stops after the current round. */
    async stop() {
      stopping.abort();
      clearInterval(interval);
      for (const timer of timers) clearTimeout(timer);
      await running;
    },
  };
}
