import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { healthCheckAgent } from '../logs/index.ts';
import type { Place } from '../sandbox/index.ts';

/** The user agent lets an app leave health checks out of its statistics and logs. */
const headers = { host: 'localhost', 'user-agent': healthCheckAgent };

/**
 * An app is healthy if it responds with anything except a server error. The time limit covers the whole exchange. With
 * a limit on silence, occasional 1xx responses could extend the exchange forever.
 */
export function isHealthy(place: Place, { ms, signal }: { ms: number; signal: AbortSignal }): Promise<boolean> {
  const socket = 'path' in place ? { socketPath: place.path } : place;
  return new Promise((resolve) => {
    const over = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
    const asked = request({ ...socket, path: '/', signal: over, agent: false, headers });
    asked.on('response', (answer) => {
      answer.on('error', () => undefined);
      resolve((answer.statusCode ?? 500) < 500);
      asked.destroy();
    });
    asked.on('error', () => resolve(false));
    asked.end();
  });
}

export async function becomesHealthy(
  place: Place,
  { ms, signal }: { ms: number; signal: AbortSignal },
): Promise<boolean> {
  const deadline = Date.now() + ms;
  while (Date.now() < deadline && !signal.aborted) {
    if (await isHealthy(place, { ms: 2_000, signal })) return true;
    await delay(50, undefined, { signal }).catch(() => undefined);
  }
  return false;
}
