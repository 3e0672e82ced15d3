import type { QueryClient } from '@tanstack/react-query';
import { gatherStale, heardTypes } from './happening-queries.ts';
import { followHappenings, type Happening } from './happenings-stream.ts';

export type Listener = (happening: Happening) => void;

/** Follows the account's events, keeps the queries fresh, and tells the listeners. Returns a function to stop. */
export function hear(client: QueryClient, listeners: ReadonlySet<Listener>): () => void {
  const stale = gatherStale((filters) => void client.invalidateQueries(filters));
  const stopFollowing = followHappenings({
    types: heardTypes,
    heard(happening) {
      stale.heard(happening);
      for (const listener of listeners) listener(happening);
    },
    missed: () => void client.invalidateQueries(),
  });
  return () => {
    stopFollowing();
    stale.stop();
  };
}
