import type { Db } from '../../foundation/db/index.ts';
import { type Nudge, nudgeNodes } from './nudges.sql.ts';

/** So often at most: events of a busy node are many, and one nudge is for all that were committed before. */
const nudgeEveryMs = 50;

type Options = {
  db: Db;
  /** Where nodes hear of each other's events in another way, only what is about who follows them has to be told here. */
  isHeardElsewhere: () => boolean;
  onError: (error: unknown) => void;
};

/** Tells other nodes, soon and not for each event. A nudge spares a wait; who misses one looks by itself, later. */
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
