import { setTimeout as delay } from 'node:timers/promises';

const pauseMs = 500;
const maxTries = 4;

/**
 * Runs work that needs a lock, and retries it if the lock is not available. Returns false if another process, such as a
 * backup, uses the table for a long time. The next try is then the next hourly run.
 */
export async function whenFree(work: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: unknown }).code !== '55P03') throw error;
      if (tries === maxTries) return false;
    }
    await delay(pauseMs);
  }
}
