import type { EventType } from '@bottega/contract';
import type { Siblings } from '../foundation/cluster/siblings.ts';
import type { Db } from '../foundation/db/index.ts';

/** Gets the types of committed events. `isHeard` is set if another process has committed them. */
type Listener = (types: ReadonlySet<EventType>, isHeard?: true) => void;

const topic = 'events';

/**
 * Calls the listener after every commit through this `db` that appended events, so that the listener need not wait for
 * a poll.
 */
export function onEvents(db: Db, listener: Listener): () => void {
  db.commits.on(topic, listener);
  return () => void db.commits.off(topic, listener);
}

/** Announces the commits of one process to the others. */
export function shareEvents(db: Db, siblings: Siblings): void {
  db.commits.on(topic, (types: ReadonlySet<EventType>, isHeard?: true) => {
    if (!isHeard) for (const type of types) siblings.tell(topic, type);
  });
  siblings.hear(topic, (type) => db.commits.emit(topic, new Set([type as EventType]), true));
}

export function announceEvents(db: Db, types: ReadonlySet<EventType>): void {
  db.commits.emit(topic, types);
}
