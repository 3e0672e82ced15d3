import type { Config } from '../../foundation/config/index.ts';
import { describeRedis } from '../../foundation/redis/open-redis.ts';
import { type Check, missing, ok } from './check.ts';

/** Checks Redis. Only several nodes need it, so its absence is not reported. */
export async function checkRedis({ redis }: Config): Promise<Check[]> {
  if (redis === null) return [];
  const { host } = new URL(redis.url);
  const problem = await describeRedis(redis.url);
  if (problem === null) return [ok('redis', `${host} responds`)];
  return [
    missing(
      'redis',
      `${host} does not respond: ${problem}`,
      'Check REDIS_URL. Without Redis, each node enforces rate limits separately.',
    ),
  ];
}
