import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { gatherStale, type HeardType, heardTypes } from './happening-queries.ts';
import { followHappenings, type Happening } from './happenings-stream.ts';
import { useSession } from './session.ts';

type Listener = (happening: Happening) => void;

const Hearing = createContext<Set<Listener> | null>(null);

/** Wraps all screens. While somebody is signed in, it has the page's only event stream, which keeps queries fresh. */
export function Happenings({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const userId = useSession()?.user.id;
  const [listeners] = useState(() => new Set<Listener>());
  useEffect(() => {
    if (userId === undefined) return;
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
  }, [client, listeners, userId]);
  return <Hearing value={listeners}>{children}</Hearing>;
}

type Wanted<Type> = { types: readonly Type[]; projectId?: string | undefined };

/**
 * Calls a screen's own handler for events. Queries are reloaded without it. Without a project, it handles the events of
 * all projects.
 */
export function useHappenings<Type extends HeardType>(
  { types, projectId }: Wanted<Type>,
  callback: (happening: Happening<Type>) => void,
): void {
  const listeners = useContext(Hearing);
  const latest = useRef({ types, projectId, callback });
  latest.current = { types, projectId, callback };
  useEffect(() => {
    const listener: Listener = (happening) => {
      const wanted = latest.current;
      if (wanted.projectId !== undefined && happening.projectId !== wanted.projectId) return;
      if (wanted.types.some((type) => type === happening.type)) wanted.callback(happening as Happening<Type>);
    };
    listeners?.add(listener);
    return () => void listeners?.delete(listener);
  }, [listeners]);
}
