import type { Siblings } from '../cluster/siblings.ts';
import type { Tier } from '../config/index.ts';
import { readTogether } from '../db/read-together.ts';
import {
  type Decision,
  type MemoryRateLimiter,
  memoryRateLimiter,
  type RateLimiter,
  type Windows,
} from './rate-limiter.ts';

type Ask = [what: 'take' | 'peek', key: string, tier: Tier];
type Question = { windows: Windows; asks: Ask[] };

export const limitsTopic = 'limits';

/**
 * Opens a limiter that counts in this process or, if several processes answer requests, in the primary. So the counts
 * are exact across all processes of this machine.
 */
export function openRateLimiter(siblings: Siblings, windows: Windows): RateLimiter {
  if (siblings.answersAlone) return memoryRateLimiter(windows);
  const decide = readTogether<Ask, Decision>(
    (asks) => siblings.askPrimary(limitsTopic, { windows, asks } satisfies Question) as Promise<Decision[]>,
    { queries: 4, max: 500 },
  );
  return {
    take: (key, tier) => decide(['take', key, tier]),
    peek: (key, tier) => decide(['peek', key, tier]),
    close: () => undefined,
  };
}

/** Runs in the primary: one limiter for each pair of windows. */
export function limiterOfAll(): (question: Question) => Decision[] {
  const limiters = new Map<string, MemoryRateLimiter>();
  return ({ windows, asks }) => {
    const name = `${windows.windowSeconds}/${windows.burstSeconds}`;
    const limiter = limiters.get(name) ?? memoryRateLimiter(windows);
    limiters.set(name, limiter);
    return asks.map(([what, key, tier]) => limiter[what](key, tier));
  };
}
