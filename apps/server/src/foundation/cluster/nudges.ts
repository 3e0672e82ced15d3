import type { ConnectionOptions, Db } from '../db/index.ts';
import { listen } from '../db/listener.ts';
import { type Nudge, nudgeChannel, nudgeNodes } from './nudges.sql.ts';
import type { Siblings } from './siblings.ts';

/**
 * Shortest time between two equal nudges. A busy node has many events, and one nudge covers all that were committed
 * before it.
 */
const nudgeEveryMs = 50;

export type Nudges = {
  /**
   * Tells other nodes soon. Equal nudges within a short time are sent once. A node that misses a nudge finds the work
   * later.
   */
  tell(nudge: Nudge): void;
  /** Like `tell`, but immediately, for a node that is about to stop. */
  tellNow(nudge: Nudge): Promise<void>;
  /**
   * Adds a listener. It gets undefined if a webhook has changed, or if a nudge may have been missed. Returns a function
   * that removes the listener.
   */
  hear(listener: (nudge: string | undefined) => void): () => void;
  isListening(): boolean;
  close(): Promise<void>;
};

type Options = {
  db: Db;
  connection: ConnectionOptions;
  siblings: Pick<Siblings, 'newsOfNodes'>;
  onError: (error: unknown) => void;
};

/** Messages with which nodes tell each other, through the database, that there is work for them. */
export function openNudges({ db, connection, siblings, onError }: Options): Nudges {
  const waiting = new Map<Nudge, NodeJS.Timeout>();
  const listeners = new Set<(nudge: string | undefined) => void>();
  const listener = listen({
    connection,
    channel: nudgeChannel,
    onChange(nudge) {
      for (const hear of listeners) hear(nudge);
    },
  });
  // If nodes learn of each other's events in another way, only messages about followers go through the database.
  const isHeardElsewhere = (nudge: Nudge) => siblings.newsOfNodes() === 'heard' && !nudge.startsWith('following');

  return {
    tell(nudge) {
      if (waiting.has(nudge) || isHeardElsewhere(nudge)) return;
      const timer = setTimeout(() => {
        waiting.delete(nudge);
        nudgeNodes(db, nudge).catch(onError);
      }, nudgeEveryMs);
      waiting.set(nudge, timer);
    },
    tellNow: (nudge) => nudgeNodes(db, nudge),
    hear(hear) {
      listeners.add(hear);
      return () => void listeners.delete(hear);
    },
    isListening: listener.isListening,
    close() {
      for (const timer of waiting.values()) clearTimeout(timer);
      return listener.close();
    },
  };
}
