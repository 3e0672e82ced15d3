import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseAway } from '../../foundation/db/index.ts';

/** How long calls are retried: long enough for a restart of the database. */
const patienceMs = 30_000;

export type Patiently = <Result>(work: () => Promise<Result>) => Promise<Result | null>;

/**
 * Retries work while the database is down. If the database is down for too long, the result is null. From then on, each
 * call tries only once until the database is back, so that one outage does not delay every call.
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
 * Records the end of a build once the database is back, unless the worker stops before that. The claim acts as a fence,
 * so work that is already committed is not repeated.
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
