import { LRUCache } from 'lru-cache';
import { singleFlight } from '../concurrency/single-flight.ts';
import type { CacheRegistry } from './cache-registry.ts';
import type { Topic } from './topics.ts';

type Known<Value> = { value: Value; mark: number | null; readAt: number };

export type RememberedRows<Value> = {
  get(key: string, read: () => Promise<Value>): Promise<Value>;
  /** Returns the last known value, however old it is, for use while the database is unavailable. */
  last(key: string): Pick<Known<Value>, 'value' | 'readAt'> | undefined;
};

/** Longest time, in milliseconds, that a cached row is used, in case the notification of a change was lost. */
const longestMs = 10_000;

/** Caches rows by key until something in their topic changes. Concurrent requests for a key share one read. */
export function rememberRows<Value>(
  caches: Pick<CacheRegistry, 'mark'>,
  topic: Topic,
  max: number,
): RememberedRows<Value> {
  const known = new LRUCache<string, Known<Value>>({ max });

  // The mark was taken before the read. So if a change happens during the read, later calls do not use the cached
  // result.
  async function look(key: string, mark: number | null, read: () => Promise<Value>): Promise<Value> {
    const readAt = Date.now();
    const value = await read();
    known.set(key, { value, mark, readAt });
    return value;
  }
  const lookTogether = singleFlight((_flight: string, ...asked: Parameters<typeof look>) => look(...asked));

  return {
    async get(key, read) {
      const mark = caches.mark(topic);
      if (mark === null) return look(key, mark, read);
      const before = known.get(key);
      const isFresh = before?.mark === mark && Date.now() - before.readAt < longestMs;
      return isFresh ? before.value : lookTogether(`${mark} ${key}`, key, mark, read);
    },
    last: (key) => known.get(key),
  };
}
