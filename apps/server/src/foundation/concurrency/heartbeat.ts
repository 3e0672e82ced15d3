import { freshFlight } from './single-flight.ts';

export type Heartbeat = {
  /** A beat that begins after this was asked for. Resolves when it has ended, however it went. */
  beatNow(): Promise<void>;
  /** Once no beat is under way. */
  settled(): Promise<void>;
  /** No beat is under way any more, and none will follow. */
  stop(): Promise<void>;
};

type Options = {
  everyMs: number;
  beat: () => Promise<void>;
  /** The next beat tries again, well before others count this node as dead. */
  onError: (error: unknown) => void;
};

/**
 * How a node says that it lives and hears what it has lost. One beat at a time: while one hangs, on a database that is
 * away, no others pile up behind it.
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
