import { freshFlight } from './single-flight.ts';

export type Heartbeat = {
  /** Starts a beat after this call. Resolves when it has ended, successfully or not. */
  beatNow(): Promise<void>;
  /** Resolves when no beat is in progress. */
  settled(): Promise<void>;
  /** Resolves when no beat is in progress and none will follow. */
  stop(): Promise<void>;
};

type Options = {
  everyMs: number;
  beat: () => Promise<void>;
  /** Handles a failed beat. The next beat tries again well before others count this node as dead. */
  onError: (error: unknown) => void;
};

/**
 * Regularly reports that a node is alive, and learns what the node has lost. Only one beat runs at a time. If it hangs
 * because the database is unavailable, no other beats wait behind it.
 */
export function startHeartbeat({ everyMs, beat, onError }: Options): Heartbeat {
  let underWay = 0;
  let latest: Promise<void> = Promise.resolve();
  const flight = freshFlight(() => beat().catch(onError));

  function beatNow(): Promise<void> {
    underWay++;
    latest = flight().finally(() => {
      underWay--;
    });
    return latest;
  }

  const timer = setInterval(() => {
    if (underWay === 0) void beatNow();
  }, everyMs);
  return {
    beatNow,
    settled: () => latest,
    async stop() {
      clearInterval(timer);
      await latest;
    },
  };
}
