import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Place } from '../api/project.ts';
import type { Side } from './side.tsx';
import { type ChangeTabs, movedPath } from './tabs.ts';
import { useFileChanges } from './use-file-changes.tsx';

const route = getRouteApi('/inside/projects/$projectId/files');

type Options = { place: Place; path: string | undefined; side: Side; change: ChangeTabs };

/** Opens files and threads, which the URL names, and changes the list of files. */
export function useOpenFiles({ place, path, side, change }: Options) {
  const navigate = route.useNavigate();
  const { hide } = side;
  const open = useCallback(
    (wanted: string | undefined, at?: number) => {
      hide();
      void navigate({ search: (now) => ({ ...now, path: wanted, line: at }) });
    },
    [navigate, hide],
  );
  const showThread = useCallback(
    (shown: { path?: string; thread: string | undefined }) =>
      void navigate({ search: (now) => ({ ...now, line: undefined, ...shown }), replace: true }),
    [navigate],
  );
  const changes = useFileChanges(place, {
    created: (file) => open(file.path),
    moved: (from, to) => {
      change({ type: 'moved', from, to });
      if (path) open(movedPath(path, { from, to }));
    },
    deleted: (gone) => {
      change({ type: 'closed', path: gone });
      if (path === gone || path?.startsWith(`${gone}/`)) open(undefined);
    },
  });
  return { open, showThread, changes };
}
