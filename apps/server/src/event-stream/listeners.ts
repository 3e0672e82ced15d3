import type { Batch } from './position.ts';
import { audienceOf, type Wanted } from './wanted.ts';

export type Listener = {
  wanted: Wanted;
  /** Ends the stream because the database was replaced. */
  end(): void;
};

type Told = (batch: Batch | null) => void;
type Entry = {
  /**
   * The number of listeners that joined before this one. It shows which batches were read before this listener joined.
   */
  number: number;
  /** Receives the next batch. Null unless the listener is waiting. */
  told: Told | null;
};

/** Keeps the listeners of this process, and knows which of them wait for the next batch. */
export function createListeners() {
  const entries = new Map<Listener, Entry>();
  const byUser = new Map<string, Set<Listener>>();
  let audience = audienceOf([]);
  let came = 0;

  function countAudience(): void {
    audience = audienceOf([...entries.keys()].map(({ wanted }) => wanted));
  }

  function tell(listener: Listener, batch: Batch | null): void {
    const entry = entries.get(listener);
    if (!entry?.told) return;
    const { told } = entry;
    entry.told = null;
    told(batch);
  }

  return {
    all: () => entries.keys(),
    size: () => entries.size,
    came: () => came,
    /**
     * Whether a batch was also read for this listener. `whenCame` is the number of listeners that had joined when it
     * was read.
     */
    wasThere: (listener: Listener, whenCame: number) => (entries.get(listener)?.number ?? whenCame) < whenCame,
    /** The users and event types to read. */
    audience: () => audience,
    add(listener: Listener) {
      const { userId } = listener.wanted;
      entries.set(listener, { number: came++, told: null });
      byUser.set(userId, (byUser.get(userId) ?? new Set()).add(listener));
      countAudience();
    },
    /** Removes a listener. Returns false if it had not joined. */
    remove(listener: Listener): boolean {
      tell(listener, null);
      if (!entries.delete(listener)) return false;
      const { userId } = listener.wanted;
      const others = byUser.get(userId);
      others?.delete(listener);
      if (others?.size === 0) byUser.delete(userId);
      countAudience();
      return true;
    },
    /** Resolves with the next batch, or null if the listener has left. */
    wait(listener: Listener): Promise<Batch | null> {
      const entry = entries.get(listener);
      if (!entry) return Promise.resolve(null);
      return new Promise((resolve) => {
        entry.told = resolve;
      });
    },
    tell,
    /** Wakes listeners whose users get an event of the batch. */
    tellUsersOf(batch: Batch) {
      const users = new Set(batch.events.flatMap((event) => [...event.users, ...event.admins]));
      for (const user of users) for (const listener of byUser.get(user) ?? []) tell(listener, batch);
    },
  };
}
