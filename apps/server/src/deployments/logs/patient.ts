import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseAway } from '../../foundation/db/index.ts';

/** A database that restarts is back by then. */
const patienceMs = 30_000;

export type Patiently = <Result>(work: () => Promise<Result>) => Promise<Result | null>;

/**
 * Tries again while the database is away. Null once it has been away for too long; from then on everything is tried once,
 * until it is back: nobody is held up again and again by the same absence.
 */
export function patiently(): Patiently {
  let awaySince: number | null = null;
  return async (work) => {
    for (let pause = 50; ; pause = Math.min(2 * pause, 2_000)) {
      try {
        const result = await work();
        awaySince = null;
        return result;
      } catch (error) {
        if (!isDatabaseAway(error)) throw error;
        awaySince ??= Date.now();
        if (Date.now() - awaySince > patienceMs) return null;
        await delay(pause);
      }
    }
  };
}

/**
 * A build that has ended while the database is away is told to it once it is back, unless the worker stops meanwhile. Its
 * claim fences: what may have been committed already is not done again.
 */
export async function untilBack(signal: AbortSignal, end: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await end();
    } catch (error) {
      if (!isDatabaseAway(error) || signal.aborted) throw error;
      await delay(500);
    }
  }
}
