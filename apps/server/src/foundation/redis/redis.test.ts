import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeWith } from '../../testing/parts/programs.ts';
import { useRedis } from '../../testing/parts/redis.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { nobodyElse } from '../cluster/siblings.ts';
import { memoryRateLimiter, type RateLimiter } from '../rate-limits/rate-limiter.ts';
import { withNewsOfNodes } from './news-of-nodes.ts';
import { openRedis, type Redis } from './open-redis.ts';
import { redisRateLimiter } from './redis-rate-limiter.ts';

const windows = { windowSeconds: 3600, burstSeconds: 60 };
const ourKey = randomBytes(32);

describeWith(['redis-server'], 'nodes that share a Redis', () => {
  const server = useRedis();
  const closing: (() => void)[] = [];
  let changes: boolean[] = [];
  let users = 0;
  let user = '';
  beforeEach(() => {
    user = `user:${++users}`;
    changes = [];
  });
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  /** A long patience, so that a busy machine does not make Redis look slow. */
  function open({ secretKey = ourKey, patienceMs = 10_000 } = {}): Redis {
    const redis = openRedis({ url: server.url(), patienceMs, secretKey, onChange: (isThere) => changes.push(isThere) });
    closing.push(redis.close);
    return redis;
  }

  async function connected(patienceMs?: number): Promise<Redis> {
    const redis = open({ ...(patienceMs && { patienceMs }) });
    redis.hear(() => undefined);
    await waitFor('Redis is there', redis.isThere);
    return redis;
  }

  async function limiterOf(redis: Redis): Promise<RateLimiter> {
    const limiter = redisRateLimiter(redis, windows);
    closing.push(limiter.close);
    return limiter;
  }

  const takeTimes = async (limiters: RateLimiter[], count: number, tier: { requests: number; burst: number }) =>
    Promise.all(Array.from({ length: count }, (_, index) => limiters[index % limiters.length]?.take(user, tier)));

  test('admit exactly as many requests as the limit allows, whichever node is asked', async () => {
    const limiters = await Promise.all([1, 2, 3].map(async () => limiterOf(await connected())));
    const decisions = await takeTimes(limiters, 80, { requests: 50, burst: 1000 });
    const admitted = decisions.filter((one) => one?.allowed);
    expect(admitted).toHaveLength(50);
    expect(new Set(admitted.map((one) => one?.remaining)).size).toBe(50);
    const refused = decisions.find((one) => !one?.allowed);
    expect(refused?.refusal).toMatchObject({ name: 'window', limit: 50, window: 3600 });
  });

  test('decide exactly as a single node does, step by step', async () => {
    const limiter = await limiterOf(await connected());
    // One of the clocks is that of Redis, so only a bucket that fills slowly can be compared.
    const alone = memoryRateLimiter({ windowSeconds: 3600, burstSeconds: 3600 });
    closing.push(alone.close);
    const slow = redisRateLimiter(await connected(), { windowSeconds: 3600, burstSeconds: 3600 });
    closing.push(slow.close);
    const tier = { requests: 12, burst: 9 };
    const essence = (one: Awaited<ReturnType<RateLimiter['take']>>) => ({
      ...{ allowed: one.allowed, remaining: one.remaining, burst: one.burst, refused: one.refusal?.name ?? null },
    });
    for (let step = 0; step < 15; step++) {
      const what = step % 3 === 0 ? 'peek' : 'take';
      expect(essence(await slow[what](user, tier))).toEqual(essence(alone[what](user, tier)));
    }
    const wide = { requests: 3, burst: 100 };
    await takeTimes([limiter], 3, wide);
    expect(await limiter.take(user, wide)).toMatchObject({ allowed: false, remaining: 0, refusal: { name: 'window' } });
  });

  test('give nobody a new budget when Redis is killed, and use it again when it is back', async () => {
    const redis = await connected();
    const limiter = await limiterOf(redis);
    const tier = { requests: 50, burst: 1000 };
    await takeTimes([limiter], 40, tier);
    await server.kill();
    const decisions = await takeTimes([limiter], 20, tier);
    expect(decisions.filter((one) => one?.allowed)).toHaveLength(10);
    expect((await redis.health()).problem).toMatch(/^Redis \(REDIS_URL\) is unavailable/);
    expect(changes).toEqual([true, false]);
    await server.start();
    await waitFor('it is used again', redis.isThere);
    expect((await redis.health()).problem).toBeNull();
    expect((await limiter.take(user, tier)).remaining).toBe(49);
  });

  test('do not wait for a Redis that does not answer', async () => {
    const redis = await connected(50);
    const limiter = await limiterOf(redis);
    const tier = { requests: 5, burst: 1000 };
    await waitFor('Redis has answered', async () => {
      await limiter.peek(user, tier);
      return redis.isThere();
    });
    await takeTimes([limiter], 3, tier);
    server.pause();
    try {
      const decisions = await takeTimes([limiter], 10, tier);
      expect(decisions.filter((one) => one?.allowed)).toHaveLength(2);
      expect(redis.isThere()).toBe(false);
    } finally {
      server.resume();
    }
    await waitFor('it is asked again', async () => {
      await limiter.peek(user, tier);
      return redis.isThere();
    });
  });

  test('give Redis more time if they were busy themselves', async () => {
    const limiters = [await limiterOf(await connected(50)), await limiterOf(await connected(50))];
    const tier = { requests: 50, burst: 1000 };
    const asked: ReturnType<typeof takeTimes>[] = [];
    for (let round = 0; round < 8; round++) {
      asked.push(takeTimes(limiters, 10, tier));
      for (const end = performance.now() + 80; performance.now() < end; );
      await new Promise(setImmediate);
    }
    const decisions = (await Promise.all(asked)).flat();
    expect(decisions.filter((one) => one?.allowed)).toHaveLength(50);
    expect(changes).toEqual([true, true]);
  });

  test('count requests by themselves if there is no Redis from the beginning', async () => {
    await server.kill();
    try {
      const redis = open();
      redis.hear(() => undefined);
      const decisions = await takeTimes([await limiterOf(redis)], 8, { requests: 5, burst: 1000 });
      expect(decisions.filter((one) => one?.allowed)).toHaveLength(5);
    } finally {
      await server.start();
    }
  });

  test('hear the messages of other nodes but not their own, also after a break', async () => {
    const [first, second, stranger] = [open(), open(), open({ secretKey: randomBytes(32) })];
    const heard: string[] = [];
    const tellers = Object.entries({ first, second, stranger }).map(([name, redis]) => {
      const siblings = withNewsOfNodes(nobodyElse, redis);
      siblings.hear('events', (text) => heard.push(`${name}: ${text}`));
      return siblings;
    });
    const all = [first, second, stranger];
    const told = async (text: string) => {
      heard.length = 0;
      await waitFor('the other has heard', () => {
        tellers[0]?.tell('events', text);
        return heard.includes(`second: ${text}`);
      });
      expect(new Set(heard)).toEqual(new Set([`second: ${text}`]));
    };
    await waitFor('Redis is there', () => all.every((one) => one.isThere()));
    await told('a');
    expect(tellers[0]?.newsOfNodes()).toBe('heard');
    await server.kill();
    await waitFor('the break is noticed', () => tellers[0]?.newsOfNodes() === 'lost');
    await server.start();
    await waitFor('Redis is there again', () => all.every((one) => one.isThere()));
    await told('b');
  });
});
