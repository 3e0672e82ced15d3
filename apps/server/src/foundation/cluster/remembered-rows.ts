import { LRUCache } from 'lru-cache';
import { singleFlight } from '../concurrency/single-flight.ts';
import type { Memories } from './memories.ts';
import type { Topic } from './topics.ts';

type Known<Value> = { value: Value; mark: number | null; readAt: number };

export type RememberedRows<Value> = {
  get(key: string, read: () => Promise<Value>): Promise<Value>;
  /** However old it is: for while the database is away. */
  last(key: string): Pick<Known<Value>, 'value' | 'readAt'> | undefined;
};

/** Should a change ever go unannounced, it is seen after this time. */
const longestMs = 10_000;

/** What rows say, by key, from memory while nothing of their topic has changed. Those who ask together read once. */
export function rememberRows<Value>(
  memories: Pick<Memories, 'mark'>,
  topic: Topic,
  max: number,
): RememberedRows<Value> {
  const known = new LRUCache<string, Known<Value>>({ max });

  // The mark is from before the read: one that a change overtakes is never used.
  async function look(key: string, mark: number | null, read: () => Promise<Value>): Promise<Value> {
    const readAt = Date.now();
    const value = await read();
    known.set(key, { value, mark, readAt });
    return value;
  }
  const lookTogether = singleFlight((_flight: string, ...asked: Parameters<typeof look>) => look(...asked));

  return {
    async get(key, read) {
      const mark = memories.mark(topic);
      if (mark === null) return look(key, mark, read);
      const before = known.get(key);
      const isFresh = before?.mark === mark && Date.now() - before.readAt < longestMs;
      return isFresh ? before.value : lookTogether(`${mark} ${key}`, key, mark, read);
    },
    last: (key) => known.get(key),
  };
}
