import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import type { HeardType } from './happening-queries.ts';
import type { Happening } from './happenings-stream.ts';
import type { Listener } from './hearing.ts';
import { useSession } from './session.ts';

const Hearing = createContext<Set<Listener> | null>(null);

/**
 * Wraps all screens. While somebody is signed in, this component follows the page's only event stream, which keeps
 * queries fresh.
 */
export function Happenings({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const userId = useSession()?.user.id;
  const [listeners] = useState(() => new Set<Listener>());
  useEffect(() => {
    if (userId === undefined) return;
    let [isOver, stop] = [false, () => {}];
    // The code for events is loaded later, because nothing that is shown first needs it.
    import('./hearing.ts').then(
      ({ hear }) => {
        if (!isOver) stop = hear(client, listeners);
      },
      // If the code cannot be loaded, the page works, but is only as fresh as its queries.
      () => undefined,
    );
    return () => {
      isOver = true;
      stop();
    };
  }, [client, listeners, userId]);
  return <Hearing value={listeners}>{children}</Hearing>;
}

type Wanted<Type> = { types: readonly Type[]; projectId?: string | undefined };

/**
 * Calls a screen's own handler for events. It is not needed for queries, which are reloaded anyway. Without
 * `projectId`, it gets the events of all projects.
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
