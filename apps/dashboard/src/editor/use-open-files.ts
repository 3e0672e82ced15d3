import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';
import type { Place } from '../api/project.ts';
import type { Side } from './side.tsx';
import type { ChangeTabs } from './tabs.ts';
import { useFileChanges } from './use-file-changes.tsx';
import type { TabGroups } from './use-groups.ts';

const route = getRouteApi('/inside/projects/$projectId/files');

type Options = { place: Place; groups: TabGroups; side: Side; change: ChangeTabs };

/** Opens files and threads by changing the URL, and changes the list of files. */
export function useOpenFiles({ place, groups, side, change }: Options) {
  const navigate = route.useNavigate();
  const { hide } = side;
  const latest = useRef(groups);
  latest.current = groups;
  const open = useCallback(
    (wanted: string | undefined, at?: number) => {
      hide();
      latest.current.show(wanted);
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
      groups.move({ from, to });
    },
    deleted: (gone) => {
      change({ type: 'closed', path: gone });
      groups.leave(gone);
    },
  });
  return { open, showThread, changes };
}
