import type { Tier } from '../config/index.ts';
import { decisionOf, memoryRateLimiter, type RateLimiter, type Windows } from '../rate-limits/rate-limiter.ts';
import type { Redis } from './open-redis.ts';

/**
 * A limiter that is exact across all nodes and their processes. The counts that Redis returns are also stored in this
 * process, so that budgets do not start again when Redis becomes unavailable. Each process then continues from the last
 * common count.
 */
export function redisRateLimiter(redis: Redis, windows: Windows): RateLimiter {
  const warm = memoryRateLimiter(windows);
  const spans = `${windows.windowSeconds}/${windows.burstSeconds}`;

  function step(what: 'take' | 'peek', key: string, tier: Tier) {
    const cost = what === 'take' ? 1 : 0;
    const asked = redis.ask((client) => client.takeScript(`${redis.name}:${spans}:${key}`, { ...windows, tier, cost }));
    if (!asked) return warm[what](key, tier);
    return asked.then((answer) => {
      if (!answer) return warm[what](key, tier);
      warm.adopt(key, answer.entry);
      return decisionOf(answer, tier, windows);
    });
  }

  return {
    take: (key, tier) => step('take', key, tier),
    peek: (key, tier) => step('peek', key, tier),
    close: warm.close,
  };
}
