import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Run } from '../run/run-button.tsx';
import { type Previewed, previewedIn } from './previewed.ts';

const route = getRouteApi('/inside/projects/$projectId/files');

/** What is shown next to the editor and below it. The URL contains it. */
export function usePanes() {
  const { preview, run: isShown = false } = route.useSearch();
  const navigate = route.useNavigate();
  const show = useCallback(
    (wanted: Previewed | undefined) => void navigate({ search: (now) => ({ ...now, preview: wanted }), replace: true }),
    [navigate],
  );
  const showPort = useCallback(
    (port: number, { isInstead }: { isInstead: boolean }) =>
      void navigate({
        search: ({ run, ...now }) => ({ ...now, preview: `port-${port}`, run: isInstead ? undefined : run }),
        replace: true,
      }),
    [navigate],
  );
  const toggle = useCallback(() => {
    // A terminal takes the Tab key. So when the user closes it, the focus moves back to the button that opened it.
    if (document.activeElement?.closest('.run')) document.querySelector<HTMLElement>('[data-opens-run]')?.focus();
    void navigate({ search: (now) => ({ ...now, run: now.run ? undefined : true }), replace: true });
  }, [navigate]);
  const run: Run = { isShown, toggle, showPort };
  return { preview: previewedIn(preview), show, run };
}
