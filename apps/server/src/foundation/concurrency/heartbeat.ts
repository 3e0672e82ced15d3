import { freshFlight } from './single-flight.ts';

export type Heartbeat = {
  /**
   * Starts a new beat, after the one in progress if there is one. Resolves when the new beat has ended, successfully or
   * not.
   */
  beatNow(): Promise<void>;
  /** Resolves when no beat is in progress. */
  settled(): Promise<void>;
  /** Resolves when no beat is in progress and none will follow. */
  stop(): Promise<void>;
};

type Options = {
  everyMs: number;
  beat: () => Promise<void>;
  /** Handles the error of a failed beat. The next beat comes well before others count this node as dead. */
  onError: (error: unknown) => void;
};

/**
 * Calls `beat` regularly, to report that this node is alive and to learn what it has lost. Only one beat runs at a
 * time. While a beat hangs because the database is unavailable, no further beats queue behind it.
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
