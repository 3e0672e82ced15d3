import type { Batch } from './place.ts';
import { audienceOf, type Wanted } from './wanted.ts';

export type Listener = {
  wanted: Wanted;
  /** It has to end: the database is another one. */
  end(): void;
};

type Told = (batch: Batch | null) => void;
type Entry = {
  /** How many had come before: what was read for those who were there then was not read for it. */
  number: number;
  /** Null while it does not wait. */
  told: Told | null;
};

/** Who listens, and who of them waits for the next batch. */
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
    /** Whether what was read when so many had come was read for this one too. */
    wasThere: (listener: Listener, whenCame: number) => (entries.get(listener)?.number ?? whenCame) < whenCame,
    /** Whom to read for, and what. */
    audience: () => audience,
    add(listener: Listener) {
      const { userId } = listener.wanted;
      entries.set(listener, { number: came++, told: null });
      byUser.set(userId, (byUser.get(userId) ?? new Set()).add(listener));
      countAudience();
    },
    /** False: it was not there. */
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
    /** Resolves with what it is told; null: it has left. */
    wait(listener: Listener): Promise<Batch | null> {
      const entry = entries.get(listener);
      if (!entry) return Promise.resolve(null);
      return new Promise((resolve) => {
        entry.told = resolve;
      });
    },
    tell,
    /** Those for whose users there is something in it. */
    tellUsersOf(batch: Batch) {
      const users = new Set(batch.events.flatMap((event) => [...event.users, ...event.admins]));
      for (const user of users) for (const listener of byUser.get(user) ?? []) tell(listener, batch);
    },
  };
}
