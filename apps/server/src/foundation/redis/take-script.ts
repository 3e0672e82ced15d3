import { type CommandParser, defineScript } from '@redis/client';
import type { Tier } from '../config/index.ts';
import type { Windows } from '../rate-limits/rate-limiter.ts';

type Ask = Windows & { tier: Tier; cost: 0 | 1 };

/**
 * A script that runs one step of the limiter within Redis, by the clock of Redis. It does the same as
 * `memoryRateLimiter`, but for all nodes together. A refused request is not counted, so it writes nothing.
 */
export const takeScript = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
local requests, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local windowMs, burstMs, cost = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local kept = redis.call('HMGET', KEYS[1], 'count', 'started', 'level', 'filled')
local count = tonumber(kept[1] or 0)
local started = math.min(tonumber(kept[2] or now), now)
local filled = math.min(tonumber(kept[4] or now), now)
local level = math.min(burst * burstMs, tonumber(kept[3] or burst * burstMs) + (now - filled) * burst)
if count == 0 or now - started >= windowMs then
  count, started = 0, now
end
local allowed = 0
if count + cost <= requests and level >= cost * burstMs then
  allowed = 1
  if cost > 0 then
    count, level = count + cost, level - cost * burstMs
    redis.call('HSET', KEYS[1], 'count', count, 'started', started, 'level', level, 'filled', now)
    redis.call('PEXPIRE', KEYS[1], math.max(windowMs, burstMs))
  end
end
return {allowed, count, started, level, now}`,
  parseCommand(parser: CommandParser, key: string, { tier, windowSeconds, burstSeconds, cost }: Ask) {
    parser.pushKey(key);
    const asked = [tier.requests, tier.burst, windowSeconds * 1000, burstSeconds * 1000, cost];
    parser.push(...asked.map(String));
  },
  transformReply: (reply: unknown) => {
    const [allowed, count, startedAt, level, filledAt] = reply as [number, number, number, number, number];
    return { allowed: allowed === 1, entry: { count, startedAt, level, filledAt } };
  },
});
