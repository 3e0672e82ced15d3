import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { memoryRateLimiter } from './rate-limiter.ts';

type Limiter = ReturnType<typeof memoryRateLimiter>;
type Decision = Awaited<ReturnType<Limiter['take']>>;

const open: Limiter[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const limiter of open.splice(0)) limiter.close();
});

/** A limiter whose clock the test controls. */
function limiterAt(start: number, windows = { windowSeconds: 3600, burstSeconds: 60 }) {
  const clock = { now: start };
  const limiter = memoryRateLimiter(windows, () => clock.now);
  open.push(limiter);
  const take = (key: string, tier: { requests: number; burst: number }) => limiter.take(key, tier) as Decision;
  const peek = (key: string, tier: { requests: number; burst: number }) => limiter.peek(key, tier) as Decision;
  return { clock, take, peek, limiter };
}

const start = 1_800_000_000_000;
const times = (count: number, run: () => unknown) => Array.from({ length: count }, run);

describe('the bucket', () => {
  const tier = { requests: 1000, burst: 100 };

  test('lets a burst of B through and refuses the next request, naming B, the burst window and when to come back', () => {
    const { take } = limiterAt(start);
    for (const decision of times(100, () => take('user:a', tier)) as Decision[]) expect(decision.allowed).toBe(true);
    const refused = take('user:a', tier);
    expect(refused).toMatchObject({ allowed: false, limit: 1000, remaining: 900, window: 3600 });
    expect(refused.refusal).toEqual({ name: 'burst', limit: 100, window: 60, resetAt: start + 600, retryAfter: 1 });
  });

  test('refills evenly, and fully within the burst window', () => {
    const { clock, take } = limiterAt(start);
    times(100, () => take('user:a', tier));
    clock.now += 599;
    expect(take('user:a', tier).allowed).toBe(false);
    clock.now += 1;
    expect(take('user:a', tier).allowed).toBe(true);
    expect(take('user:a', tier).allowed).toBe(false);
    clock.now += 60_000;
    expect(take('user:a', tier).burst).toEqual({ limit: 100, remaining: 99, window: 60 });
  });

  test('never holds more than B, however long there was no request', () => {
    const { clock, take } = limiterAt(start);
    take('user:a', tier);
    clock.now += 1_800_000;
    const allowed = (times(150, () => take('user:a', tier)) as Decision[]).filter((decision) => decision.allowed);
    expect(allowed).toHaveLength(100);
  });
});

describe('the window', () => {
  const tier = { requests: 10, burst: 100 };

  test('admits R requests, then refuses until it ends, naming R and the window', () => {
    const { clock, take } = limiterAt(start);
    const remaining = (times(10, () => take('user:a', tier)) as Decision[]).map((decision) => decision.remaining);
    expect(remaining).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    clock.now += 1_800_000;
    const refused = take('user:a', tier);
    expect(refused.allowed).toBe(false);
    expect(refused.refusal).toEqual({
      name: 'window',
      limit: 10,
      window: 3600,
      resetAt: start + 3_600_000,
      retryAfter: 1800,
    });
    clock.now = start + 3_600_000 - 1;
    expect(take('user:a', tier).refusal?.retryAfter).toBe(1);
    clock.now = start + 3_600_000;
    expect(take('user:a', tier)).toMatchObject({ allowed: true, remaining: 9, resetAt: start + 7_200_000 });
  });

  test('starts with the first request, not with a look at the budget', () => {
    const { clock, take, peek } = limiterAt(start);
    peek('user:a', tier);
    clock.now += 3_000_000;
    expect(take('user:a', tier).resetAt).toBe(start + 6_600_000);
    clock.now += 3_600_000;
    peek('user:a', tier);
    clock.now += 3_000_000;
    expect(take('user:a', tier).resetAt).toBe(start + 13_200_000);
  });

  test('is what a refusal names if it is full, even if the bucket is empty too', () => {
    const { take } = limiterAt(start);
    times(3, () => take('user:a', { requests: 3, burst: 3 }));
    expect(take('user:a', { requests: 3, burst: 3 }).refusal).toMatchObject({ limit: 3, window: 3600 });
  });
});

test('a refused request counts for neither limit', () => {
  const { clock, take, peek } = limiterAt(start);
  const tier = { requests: 1000, burst: 2 };
  times(50, () => take('user:a', tier));
  expect(peek('user:a', tier).remaining).toBe(998);
  clock.now += 30_000;
  expect(take('user:a', tier).allowed).toBe(true);
});

test('looking at the budget changes nothing, not even the clock of the refill', () => {
  const tier = { requests: 1000, burst: 60 };
  const [quiet, looked] = [limiterAt(start), limiterAt(start)];
  for (const { take } of [quiet, looked]) times(60, () => take('user:a', tier));
  for (let ms = 0; ms < 1000; ms += 7) {
    looked.clock.now = start + ms;
    expect(looked.peek('user:a', tier)).toMatchObject({ allowed: true, remaining: 940, refusal: null });
  }
  quiet.clock.now = start + 1000;
  looked.clock.now = start + 1000;
  expect(looked.take('user:a', tier)).toEqual(quiet.take('user:a', tier));
  expect(looked.peek('user:a', tier).remaining).toBe(939);
});

test('each key has a budget of its own', () => {
  const { take } = limiterAt(start);
  const tier = { requests: 2, burst: 2 };
  times(3, () => take('user:a', tier));
  expect(take('user:b', tier).allowed).toBe(true);
  expect(take('ip:192.0.2.1', tier).allowed).toBe(true);
});

test('a change of plan takes effect at once, and requests that were used stay counted', () => {
  const { take } = limiterAt(start);
  times(5, () => take('user:a', { requests: 10, burst: 10 }));
  expect(take('user:a', { requests: 100, burst: 50 })).toMatchObject({ limit: 100, remaining: 94 });
  expect(take('user:a', { requests: 5, burst: 5 }).refusal).toMatchObject({ limit: 5, window: 3600 });
});

test('setting the clock back gives nobody more than their budget, and no wait longer than a window', () => {
  const { clock, take } = limiterAt(start);
  const tier = { requests: 5, burst: 5 };
  times(4, () => take('user:a', tier));
  clock.now -= 10_000_000;
  expect(take('user:a', tier)).toMatchObject({ allowed: true, remaining: 0 });
  expect(take('user:a', tier).refusal).toMatchObject({ limit: 5, retryAfter: 3600 });
  clock.now += 3_600_000;
  expect(take('user:a', tier).allowed).toBe(true);
});

/** The two rules in whole numbers, from the list of all requests so far. Slow, but obviously right. */
function naiveModel(tier: { requests: number; burst: number }, windowMs: number, burstMs: number) {
  let windowStart = Number.NEGATIVE_INFINITY;
  let admittedInWindow = 0;
  // Counted in burstMs-ths of a token.
  let level = tier.burst * burstMs;
  let levelAt = 0;
  return (at: number): boolean => {
    level = Math.min(tier.burst * burstMs, level + (at - levelAt) * tier.burst);
    levelAt = at;
    if (at - windowStart >= windowMs) admittedInWindow = 0;
    if (admittedInWindow >= tier.requests || level < burstMs) return false;
    if (admittedInWindow === 0) windowStart = at;
    admittedInWindow++;
    level -= burstMs;
    return true;
  };
}

const scenario = fc.record({
  requests: fc.integer({ min: 1, max: 40 }),
  burst: fc.integer({ min: 1, max: 12 }),
  windowSeconds: fc.integer({ min: 1, max: 20 }),
  burstSeconds: fc.integer({ min: 1, max: 7 }),
  // Pauses in milliseconds, small ones more often, with reads of the budget in between.
  steps: fc.array(
    fc.record({
      pause: fc.oneof(
        fc.constant(0),
        fc.integer({ min: 0, max: 50 }),
        fc.integer({ min: 0, max: 18 }).map((halves) => halves * 500),
        fc.integer({ min: 0, max: 9000 }),
      ),
      looks: fc.integer({ min: 0, max: 2 }),
    }),
    { maxLength: 250, size: 'max' },
  ),
});

test('the limiter decides as the naive model does, for any tier and any requests', () => {
  fc.assert(
    fc.property(scenario, ({ requests, burst, windowSeconds, burstSeconds, steps }) => {
      const { clock, take, peek } = limiterAt(start, { windowSeconds, burstSeconds });
      const model = naiveModel({ requests, burst }, windowSeconds * 1000, burstSeconds * 1000);
      for (const { pause, looks } of steps) {
        clock.now += pause;
        times(looks, () => peek('user:a', { requests, burst }));
        expect(take('user:a', { requests, burst }).allowed).toBe(model(clock.now - start));
      }
    }),
    { numRuns: 500 },
  );
});

test('at most R requests pass in one window, and at most B plus the refill in any interval', () => {
  fc.assert(
    fc.property(scenario, ({ requests, burst, windowSeconds, burstSeconds, steps }) => {
      const { clock, take } = limiterAt(start, { windowSeconds, burstSeconds });
      const admitted: number[] = [];
      const byWindow = new Map<number, number>();
      for (const { pause } of steps) {
        clock.now += pause;
        const { allowed, resetAt } = take('user:a', { requests, burst });
        if (!allowed) continue;
        admitted.push(clock.now);
        byWindow.set(resetAt, (byWindow.get(resetAt) ?? 0) + 1);
      }
      for (const count of byWindow.values()) expect(count).toBeLessThanOrEqual(requests);
      const ends = [...byWindow.keys()];
      for (const [index, end] of ends.entries()) {
        if (index > 0) expect(end - windowSeconds * 1000).toBeGreaterThanOrEqual(ends[index - 1] ?? 0);
      }
      const tooMany = admitted.flatMap((begin, from) =>
        admitted.slice(from).filter((end, further) => {
          return further + 1 > burst + ((end - begin) * burst) / (burstSeconds * 1000) + 1e-9;
        }),
      );
      expect(tooMany).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test('a caller who waits for as long as Retry-After says is let through', () => {
  fc.assert(
    fc.property(scenario, ({ requests, burst, windowSeconds, burstSeconds, steps }) => {
      const { clock, take } = limiterAt(start, { windowSeconds, burstSeconds });
      for (const { pause } of steps) {
        clock.now += pause;
        let decision = take('user:a', { requests, burst });
        // At most twice: at the end of the window the bucket may still be empty.
        for (let waits = 0; decision.refusal && waits < 2; waits++) {
          clock.now += decision.refusal.retryAfter * 1000;
          const next = take('user:a', { requests, burst });
          // If both windows have the same length, a refusal does not say which of them it was.
          if (windowSeconds !== burstSeconds && decision.refusal.window === burstSeconds && next.refusal) {
            expect(next.refusal).toMatchObject({ limit: requests, window: windowSeconds });
          }
          decision = next;
        }
        expect(decision.allowed).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});

test('a caller who was away for both windows takes up no memory after the next sweep', () => {
  vi.useFakeTimers();
  const { clock, limiter, take, peek } = limiterAt(start);
  const tier = { requests: 100, burst: 10 };
  take('user:a', tier);
  for (let last = 0; last < 50; last++) peek(`ip:192.0.2.${last}`, tier);
  clock.now += 3_599_999;
  vi.advanceTimersByTime(60_000);
  expect(limiter.size()).toBe(51);
  take('user:b', tier);
  clock.now += 1;
  vi.advanceTimersByTime(60_000);
  expect(limiter.size()).toBe(1);
});

test('a flood of addresses pushes out the oldest address, but never a user', () => {
  const { limiter, take } = limiterAt(start);
  const tier = { requests: 5, burst: 5 };
  times(5, () => take('user:a', tier));
  for (let number = 0; number < 200_500; number++) take(`ip:${number}`, tier);
  expect(limiter.size()).toBeLessThanOrEqual(200_001);
  expect(take('user:a', tier).allowed).toBe(false);
});
