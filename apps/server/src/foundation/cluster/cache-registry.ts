import { listen } from '../db/listener.ts';
import type { ConnectionOptions, Db } from '../db/pool.ts';
import { databaseOf, type Trx, whenOver } from '../db/transaction.ts';
import { channelOf, notifyOfChange } from './changes.sql.ts';
import type { Siblings } from './siblings.ts';
import { type Topic, topics } from './topics.ts';

type Forget = (about?: string) => void | Promise<void>;

/**
 * A process registers each of its caches of rows here, under the topic whose changes make the cache stale.
 *
 * A change takes three steps. Before it commits, every process of this machine drops the topic, caches nothing about it
 * (`hold`) and confirms that. Then the change commits. Then the processes may cache again (`release`). So no request
 * that begins after the commit gets the old state, whichever process it reaches. Other machines learn of the commit
 * through NOTIFY. While a process cannot receive NOTIFY, it caches nothing.
 */
export type CacheRegistry = {
  /** `forget` drops the cached rows of one subject; without an argument it drops all of them. */
  register(topic: Topic, forget: Forget): void;
  /**
   * Null if the cache must not be used now. Otherwise, a number that stays the same while nothing changes. A value may
   * be cached only if the number is still the same as when the value was read.
   */
  mark(topic: Topic): number | null;
  /** Drops the topic on this machine. Resolves when every process has dropped its cache, or after a second. */
  hold(topic: Topic, about?: string): Promise<Held>;
  close(): Promise<void>;
};

type Held = { release(): Promise<void> };
type Word = { kind: 'hold' | 'release'; id: string; topic: Topic; about?: string | undefined };

const question = 'memories';
/**
 * Longest hold, in case the holder has died or its transaction waits for a lock. If a transaction commits after that,
 * NOTIFY still reports it.
 */
const longestHoldMs = 5_000;

type Options = { connection: ConnectionOptions; siblings: Siblings };

export function openCacheRegistry({ connection, siblings }: Options): CacheRegistry {
  const forgetting = new Map<Topic, Forget[]>();
  const generations = new Map<Topic, number>();
  const holds = new Map<string, { topic: Topic; until: number }>();
  let lastId = 0;

  async function forget(topic: Topic, about: string | undefined): Promise<void> {
    generations.set(topic, (generations.get(topic) ?? 0) + 1);
    await Promise.all((forgetting.get(topic) ?? []).map((one) => one(about)));
  }

  async function apply({ kind, id, topic, about }: Word): Promise<true> {
    if (kind === 'hold') holds.set(id, { topic, until: Date.now() + longestHoldMs });
    else holds.delete(id);
    await forget(topic, about);
    return true;
  }

  function isHeld(topic: Topic): boolean {
    for (const [id, hold] of holds) {
      if (hold.until < Date.now()) holds.delete(id);
      else if (hold.topic === topic) return true;
    }
    return false;
  }

  const say = async (word: Word): Promise<void> => {
    await Promise.all([apply(word), siblings.askOthers(question, word)]);
  };

  const listener = listen({
    connection,
    channel: topics.map(channelOf),
    onChange(about, channel) {
      const isNudge = channel === channelOf('webhooks') && about !== undefined;
      if (isNudge) return;
      for (const topic of topics) if (!channel || channel === channelOf(topic)) void forget(topic, about);
    },
  });

  siblings.answer(question, (word) => apply(word as Word));
  return {
    register: (topic, one) => void forgetting.set(topic, [...(forgetting.get(topic) ?? []), one]),
    mark: (topic) => (listener.isListening() && !isHeld(topic) ? (generations.get(topic) ?? 0) : null),
    async hold(topic, about) {
      const id = `${process.pid} ${++lastId}`;
      await say({ kind: 'hold', id, topic, about });
      return { release: () => say({ kind: 'release', id, topic, about }) };
    },
    close: listener.close,
  };
}

const registryOf = new WeakMap<Db, CacheRegistry>();

/** From now on, `changing` in a transaction of this `db` invalidates these caches. */
export function invalidateOnChanges(db: Db, caches: CacheRegistry): void {
  registryOf.set(db, caches);
}

/**
 * Call this in the transaction that changes a row which a process may have cached. Once the change is committed and
 * confirmed, no request sees the old state.
 */
export async function changing(trx: Trx, topic: Topic, about?: string): Promise<void> {
  const db = databaseOf(trx);
  const held = await (db && registryOf.get(db)?.hold(topic, about));
  if (held) whenOver(trx, held.release);
  // For webhooks, a trigger of their table sends the notification.
  if (topic !== 'webhooks') await notifyOfChange(trx, topic, about);
}
