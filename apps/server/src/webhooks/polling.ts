import { setTimeout as delay } from 'node:timers/promises';

export type Turning = {
  /** Soon: at once, or once more after the turn that is under way. */
  wake(): void;
  wakeIn(ms: number): void;
  isStopping(): boolean;
  /** Ends early when it is stopped. */
  pause(ms: number): Promise<void>;
  /** The turn that is under way is the last one. */
  stop(): Promise<void>;
};

type Options = {
  turn: () => Promise<void>;
  everyMs: number;
  onTick: () => void;
  onError: (error: unknown) => void;
};

const afterErrorMs = 500;

/** The same work over and over, one turn at a time: whenever it is asked for, and every so often. */
export function keepTurning({ turn, everyMs, onTick, onError }: Options): Turning {
  const stopping = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  let running: Promise<void> | null = null;
  let again = false;

  async function run(): Promise<void> {
    do {
      again = false;
      try {
        await turn();
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
  const poll = setInterval(() => {
    onTick();
    wake();
  }, everyMs);
  return {
    wake,
    wakeIn(ms) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        wake();
      }, ms);
      timers.add(timer);
    },
    isStopping: () => stopping.signal.aborted,
    pause,
    async stop() {
      stopping.abort();
      clearInterval(poll);
      for (const timer of timers) clearTimeout(timer);
      await running;
    },
  };
}
