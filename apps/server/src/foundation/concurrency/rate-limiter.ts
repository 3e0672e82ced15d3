import type { Tier } from '../config/index.ts';

/** The state of one caller after a request, whether it was let through or not. */
export type Decision = {
  allowed: boolean;
  /** The hourly window, which the X-RateLimit headers describe on every response. */
  limit: number;
  remaining: number;
  resetAt: number;
  window: number;
  burst: { limit: number; remaining: number; window: number };
  /** What refused the request: the window or the burst bucket, and when it will let one through again. */
  refusal: { name: 'window' | 'burst'; limit: number; window: number; resetAt: number; retryAfter: number } | null;
};

/** One atomic step per request. A store on another machine may answer later. */
export type RateLimiter = {
  take(key: string, tier: Tier): Decision | Promise<Decision>;
  /** Reads without counting. */
  peek(key: string, tier: Tier): Decision | Promise<Decision>;
  close(): void;
};

/** It answers at once. */
export type MemoryRateLimiter = {
  [Step in 'take' | 'peek']: (key: string, tier: Tier) => Decision;
} & { close(): void; size(): number };

export type Windows = { windowSeconds: number; burstSeconds: number };
/** `level` counts in burstMs-ths of a token: whole numbers, so that waiting exactly long enough is long enough. */
type Entry = { count: number; startedAt: number; level: number; filledAt: number };

/** Forged or shared addresses must not fill the memory; users are known accounts and are never forgotten. */
const mostAddresses = 200_000;

/**
 * Two limits checked together: a fixed window of R requests that starts with the first one, and a bucket of B tokens
 * that refills evenly within the burst window. A bucket alone would admit R plus B in an hour; a window alone would
 * admit 2R across its boundary within seconds. A refused request is not counted by either.
 */
export function memoryRateLimiter(
  { windowSeconds, burstSeconds }: Windows,
  now: () => number = Date.now,
): MemoryRateLimiter {
  const users = new Map<string, Entry>();
  const addresses = new Map<string, Entry>();
  const windowMs = windowSeconds * 1000;
  const burstMs = burstSeconds * 1000;

  function current(key: string, tier: Tier, at: number): Entry {
    const entries = key.startsWith('ip:') ? addresses : users;
    let entry = entries.get(key);
    if (!entry) {
      entry = { count: 0, startedAt: at, level: tier.burst * burstMs, filledAt: at };
      if (entries === addresses && entries.size >= mostAddresses) forgetOldest(addresses);
      entries.set(key, entry);
    }
    // A clock that was put back must not make anybody wait for it to catch up.
    entry.startedAt = Math.min(entry.startedAt, at);
    entry.filledAt = Math.min(entry.filledAt, at);
    // Until a request is counted no window has started: looking at the budget starts none.
    if (entry.count === 0 || at - entry.startedAt >= windowMs) Object.assign(entry, { count: 0, startedAt: at });
    entry.level = Math.min(tier.burst * burstMs, entry.level + (at - entry.filledAt) * tier.burst);
    entry.filledAt = at;
    return entry;
  }

  function decide(entry: Entry, tier: Tier, at: number, cost: 0 | 1): Decision {
    const resetAt = entry.startedAt + windowMs;
    const windowFull = entry.count + cost > tier.requests;
    const bucketEmpty = entry.level < cost * burstMs;
    if (!windowFull && !bucketEmpty) {
      entry.count += cost;
      entry.level -= cost * burstMs;
    }
    const nextToken = at + Math.ceil((burstMs - entry.level) / tier.burst);
    return {
      allowed: !windowFull && !bucketEmpty,
      limit: tier.requests,
      remaining: Math.max(0, tier.requests - entry.count),
      resetAt,
      window: windowSeconds,
      burst: { limit: tier.burst, remaining: Math.floor(entry.level / burstMs), window: burstSeconds },
      // A full window lasts longer than an empty bucket, so it is the one to report.
      refusal: windowFull
        ? {
            name: 'window',
            limit: tier.requests,
            window: windowSeconds,
            resetAt,
            retryAfter: secondsUntil(resetAt, at),
          }
        : bucketEmpty
          ? {
              name: 'burst',
              limit: tier.burst,
              window: burstSeconds,
              resetAt: nextToken,
              retryAfter: secondsUntil(nextToken, at),
            }
          : null,
    };
  }

  const sweep = setInterval(() => {
    const at = now();
    for (const entries of [users, addresses]) {
      for (const [key, entry] of entries) {
        if (at - entry.startedAt >= windowMs && at - entry.filledAt >= burstMs) entries.delete(key);
      }
    }
  }, 60_000);
  sweep.unref();

  return {
    take(key, tier) {
      const at = now();
      return decide(current(key, tier, at), tier, at, 1);
    },
    peek(key, tier) {
      const at = now();
      return decide(current(key, tier, at), tier, at, 0);
    },
    close: () => clearInterval(sweep),
    size: () => users.size + addresses.size,
  };
}

function forgetOldest(entries: Map<string, Entry>): void {
  const oldest = entries.keys().next();
  if (!oldest.done) entries.delete(oldest.value);
}

const secondsUntil = (then: number, at: number): number => Math.max(1, Math.ceil((then - at) / 1000));
