import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Place } from '../sandbox/index.ts';

/** An app is well when it answers anything that is not its own failure. */
export function isHealthy(place: Place, timeoutMs: number): Promise<boolean> {
  const socket = 'path' in place ? { socketPath: place.path } : place;
  return new Promise((resolve) => {
    const asked = request({ ...socket, path: '/', timeout: timeoutMs, agent: false, headers: { host: 'localhost' } });
    asked.on('response', (answer) => {
      resolve((answer.statusCode ?? 500) < 500);
      answer.destroy();
    });
    asked.on('timeout', () => asked.destroy());
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
    if (await isHealthy(place, 2_000)) return true;
    await delay(50, undefined, { signal }).catch(() => undefined);
  }
  return false;
}
