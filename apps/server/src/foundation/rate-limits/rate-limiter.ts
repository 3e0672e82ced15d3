import type { Tier } from '../config/index.ts';

/** The state of one caller after a request, allowed or refused. */
export type Decision = {
  allowed: boolean;
  /** The hourly window, which the X-RateLimit headers describe on every response. */
  limit: number;
  remaining: number;
  resetAt: number;
  window: number;
  burst: { limit: number; remaining: number; window: number };
  /** The limit that refused the request, the window or the burst bucket, and when it will allow one again. */
  refusal: { name: 'window' | 'burst'; limit: number; window: number; resetAt: number; retryAfter: number } | null;
};

/**
 * A limiter that decides each request in one atomic step. If its counts are in another process or on another machine,
 * it returns promises.
 */
export type RateLimiter = {
  take(key: string, tier: Tier): Decision | Promise<Decision>;
  /** Reads without counting. */
  peek(key: string, tier: Tier): Decision | Promise<Decision>;
  close(): void;
};

/** A limiter in memory, which returns its decisions synchronously. */
export type MemoryRateLimiter = {
  [Step in 'take' | 'peek']: (key: string, tier: Tier) => Decision;
} & {
  /** Replaces the state of a caller with a state that another limiter has counted. */
  adopt(key: string, known: Entry): void;
  close(): void;
  size(): number;
};

export type Windows = { windowSeconds: number; burstSeconds: number };
/**
 * The state of one caller. The unit of `level` is one token divided by `burstMs`. So all values are whole numbers, and
 * a caller that waits for exactly the reported time is not refused because of rounding.
 */
export type Entry = { count: number; startedAt: number; level: number; filledAt: number };

/**
 * Maximum number of addresses that are counted, because forged or shared addresses must not fill the memory. The
 * entries of users, who are known accounts, are never dropped.
 */
const maxAddresses = 200_000;

/**
 * Creates a limiter in memory. It checks two limits together: a fixed window of R requests that starts with the first
 * one, and a bucket of B tokens that refills evenly within the burst window. A bucket alone would allow R plus B in an
 * hour. A window alone would allow 2R across its boundary within seconds. Neither counts a refused request.
 */
export function memoryRateLimiter(
  { windowSeconds, burstSeconds }: Windows,
  now: () => number = Date.now,
): MemoryRateLimiter {
  const users = new Map<string, Entry>();
  const addresses = new Map<string, Entry>();
  const windowMs = windowSeconds * 1000;
  const burstMs = burstSeconds * 1000;

  const entriesOf = (key: string) => (key.startsWith('ip:') ? addresses : users);

  function keep(key: string, entry: Entry): void {
    if (key.startsWith('ip:') && !addresses.has(key) && addresses.size >= maxAddresses) forgetOldest(addresses);
    entriesOf(key).set(key, entry);
  }

  function current(key: string, tier: Tier, at: number): Entry {
    let entry = entriesOf(key).get(key);
    if (!entry) {
      entry = { count: 0, startedAt: at, level: tier.burst * burstMs, filledAt: at };
      keep(key, entry);
    }
    // If the clock was set back, callers must not have to wait until it reaches the old time again.
    entry.startedAt = Math.min(entry.startedAt, at);
    entry.filledAt = Math.min(entry.filledAt, at);
    // Only a counted request starts a window. Reading the budget does not.
    if (entry.count === 0 || at - entry.startedAt >= windowMs) Object.assign(entry, { count: 0, startedAt: at });
    entry.level = Math.min(tier.burst * burstMs, entry.level + (at - entry.filledAt) * tier.burst);
    entry.filledAt = at;
    return entry;
  }

  function step(key: string, tier: Tier, cost: 0 | 1): Decision {
    const entry = current(key, tier, now());
    const allowed = entry.count + cost <= tier.requests && entry.level >= cost * burstMs;
    if (allowed) {
      entry.count += cost;
      entry.level -= cost * burstMs;
    }
    return decisionOf({ allowed, entry }, tier, { windowSeconds, burstSeconds });
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
    take: (key, tier) => step(key, tier, 1),
    peek: (key, tier) => step(key, tier, 0),
    adopt: keep,
    close: () => clearInterval(sweep),
    size: () => users.size + addresses.size,
  };
}

/**
 * Turns the result of a step into the decision for the caller. `entry` is the state after the step, with tokens
 * refilled up to that moment.
 */
export function decisionOf(
  { allowed, entry }: { allowed: boolean; entry: Entry },
  tier: Tier,
  { windowSeconds, burstSeconds }: Windows,
): Decision {
  const { count, startedAt, level, filledAt: at } = entry;
  const burstMs = burstSeconds * 1000;
  const resetAt = startedAt + windowSeconds * 1000;
  const nextToken = at + Math.ceil((burstMs - level) / tier.burst);
  // If both limits are reached, the window is reported as the reason, because it refuses requests for longer than an
  // empty bucket.
  const isFull = count >= tier.requests;
  const refusal = isFull
    ? { name: 'window' as const, limit: tier.requests, window: windowSeconds, resetAt }
    : { name: 'burst' as const, limit: tier.burst, window: burstSeconds, resetAt: nextToken };
  return {
    allowed,
    limit: tier.requests,
    remaining: Math.max(0, tier.requests - count),
    resetAt,
    window: windowSeconds,
    burst: { limit: tier.burst, remaining: Math.floor(level / burstMs), window: burstSeconds },
    refusal: allowed ? null : { ...refusal, retryAfter: secondsUntil(refusal.resetAt, at) },
  };
}

function forgetOldest(entries: Map<string, Entry>): void {
  const oldest = entries.keys().next();
  if (!oldest.done) entries.delete(oldest.value);
}

const secondsUntil = (then: number, at: number): number => Math.max(1, Math.ceil((then - at) / 1000));
