import type { Db } from '../../foundation/db/index.ts';
import { type Nudge, nudgeNodes } from './nudges.sql.ts';

/** Shortest time between two nudges. One nudge covers all events that were committed before. */
const nudgeEveryMs = 50;

type Options = {
  db: Db;
  /** If nodes learn of each other's events in another way, only nudges about followers are sent here. */
  isHeardElsewhere: () => boolean;
  onError: (error: unknown) => void;
};

/**
 * Nudges other nodes soon, and not once per event. A nudge only saves time: a node that misses one looks later by
 * itself.
 */
export function createNudges({ db, isHeardElsewhere, onError }: Options) {
  const waiting = new Map<Nudge, NodeJS.Timeout>();
  return {
    tell(nudge: Nudge) {
      if (waiting.has(nudge) || (isHeardElsewhere() && !nudge.startsWith('following'))) return;
      const timer = setTimeout(() => {
        waiting.delete(nudge);
        nudgeNodes(db, nudge).catch(onError);
      }, nudgeEveryMs);
      waiting.set(nudge, timer);
    },
    stop() {
      for (const timer of waiting.values()) clearTimeout(timer);
    },
  };
}
