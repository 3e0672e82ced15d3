import type { EventType } from '@bottega/contract';
import type { Db } from '../foundation/db/index.ts';

type Listener = (types: ReadonlySet<EventType>) => void;

const topic = 'events';

/** Calls back after every commit through this `db` that appended events, so that nobody has to wait for a poll. */
export function onEvents(db: Db, listener: Listener): () => void {
  db.commits.on(topic, listener);
  return () => void db.commits.off(topic, listener);
}

export function announceEvents(db: Db, types: ReadonlySet<EventType>): void {
  db.commits.emit(topic, types);
}
