import type { File } from '@bottega/contract';
import { useEffect, useMemo, useState } from 'react';
import type { Place } from '../api/project.ts';
import { useSignedIn } from '../api/session.ts';
import { ownerOf } from './drafts.ts';
import { keepPaths, pathsAfter, readPaths } from './open-paths.ts';
import type { Tab } from './tabs.ts';

type Options = { place: Place; files: readonly File[]; tabs: readonly Tab[]; wanted: string | undefined };

type State = { paths: readonly string[]; before: readonly string[]; wanted: string | undefined };

/**
 * The paths of all tabs: open texts, files that have no text, and files from before a reload, which are read when they
 * are shown.
 */
export function useOpenPaths({ place, files, tabs, wanted }: Options) {
  const { user } = useSignedIn();
  const owner = useMemo(() => ownerOf(user.id, place), [user.id, place]);
  const [state, set] = useState<State>(() => ({ paths: readPaths(owner), before: [], wanted: undefined }));
  const now = tabs.map(({ path }) => path);
  const isThere = (path: string) => files.some((file) => file.path === path && file.type === 'file');
  if (now.join('\n') !== state.before.join('\n') || wanted !== state.wanted) {
    const paths = pathsAfter(state.paths, state.before, now);
    const isNew = wanted !== undefined && wanted !== state.wanted && !paths.includes(wanted) && isThere(wanted);
    set({ paths: isNew ? [...paths, wanted] : paths, before: now, wanted });
  }
  useEffect(() => keepPaths(owner, state.paths), [owner, state.paths]);
  return {
    paths: state.paths.filter((path) => now.includes(path) || isThere(path)),
    forget: (path: string) => set((last) => ({ ...last, paths: last.paths.filter((one) => one !== path) })),
  };
}
