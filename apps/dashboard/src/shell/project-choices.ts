import {
  IconFile,
  IconFilePlus,
  IconGitPullRequest,
  IconHistory,
  IconLayoutDashboard,
  IconMessageCheck,
  IconPlayerPlay,
  IconRocket,
  IconSettings,
  IconUserPlus,
  type TablerIcon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { stringIn, tokenIn } from '../kit/address.ts';
import { editorThreadsWords } from '../merge-requests/editor-threads.words.ts';
import { requestsFromQuery } from '../merge-requests/requests-query.ts';
import { useWords } from '../words/words.tsx';
import { shellWords } from './shell.words.ts';

/** One line of the palette. */
export type Choice = { id: string; label: string; description?: string; icon: TablerIcon; choose: () => void };

const maxRecent = 8;

/** Actions in the open project, and its recently opened files. */
export function useProjectChoices(): { screens: Choice[]; files: Choice[] } {
  const words = useWords(shellWords);
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const projectId = /^\/projects\/(prj_\w+)/.exec(pathname)?.[1];
  const isWorkbench = pathname.endsWith('/files');
  const recent = useRecentFiles(projectId);
  const threads = useThreadsChoice(isWorkbench ? projectId : undefined);
  if (projectId === undefined) return { screens: [], files: [] };
  const params = { projectId };
  const screens: Choice[] = [
    {
      id: 'overview',
      label: words.overview,
      icon: IconLayoutDashboard,
      choose: () => void navigate({ to: '/projects/$projectId/overview', params }),
    },
    {
      id: 'files',
      label: words.files,
      icon: IconFilePlus,
      choose: () => void navigate({ to: '/projects/$projectId/files', params }),
    },
    {
      id: 'run',
      label: words.run,
      icon: IconPlayerPlay,
      choose: () =>
        void navigate({
          to: '/projects/$projectId/files',
          params,
          // In the workbench, all other search parameters stay.
          search: (now) => (isWorkbench ? { ...now, run: true } : { run: true }),
        }),
    },
    {
      id: 'history',
      label: words.history,
      icon: IconHistory,
      choose: () => void navigate({ to: '/projects/$projectId/history', params }),
    },
    {
      id: 'merge-requests',
      label: words.mergeRequests,
      icon: IconGitPullRequest,
      choose: () => void navigate({ to: '/projects/$projectId/merge-requests', params }),
    },
    {
      id: 'deploy',
      label: words.deploy,
      icon: IconRocket,
      choose: () => void navigate({ to: '/projects/$projectId/deployments', params, search: { deploy: true } }),
    },
    {
      id: 'invite',
      label: words.invite,
      icon: IconUserPlus,
      choose: () => void navigate({ to: '/projects/$projectId/people', params }),
    },
    {
      id: 'project-settings',
      label: words.projectSettings,
      icon: IconSettings,
      choose: () => void navigate({ to: '/projects/$projectId/settings', params }),
    },
  ];
  const files = recent.map(({ path, ref }) => ({
    id: `${ref ?? ''} ${path}`,
    label: path,
    ...(ref !== undefined && { description: ref }),
    icon: IconFile,
    choose: () => void navigate({ to: '/projects/$projectId/files', params, search: { ref, path } }),
  }));
  return { screens: [...threads, ...screens], files };
}

/** The threads about the branch that is open in the workbench, if a merge request offers it. */
function useThreadsChoice(projectId: string | undefined): Choice[] {
  const words = useWords(editorThreadsWords);
  const navigate = useNavigate();
  const { search: shown } = useLocation();
  const branch = ('ref' in shown && tokenIn(shown.ref)) || 'main';
  const { data = [] } = useQuery({ ...requestsFromQuery(projectId ?? '', branch), enabled: projectId !== undefined });
  if (projectId === undefined || data.length === 0) return [];
  const choose = () =>
    void navigate({
      to: '/projects/$projectId/files',
      params: { projectId },
      search: (now) => ({ ...now, thread: 'all' }),
    });
  return [{ id: 'threads', label: words.show, icon: IconMessageCheck, choose }];
}

type Recent = { path: string; ref: string | undefined };

/** Recently opened files. They are only in memory, because the next user of this browser must not see them. */
function useRecentFiles(projectId: string | undefined): Recent[] {
  const { pathname, search } = useLocation();
  const [files, setFiles] = useState<Record<string, Recent[]>>({});
  const asked: { path?: unknown; ref?: unknown } = pathname.endsWith('/files') ? search : {};
  const [path, ref] = [stringIn(asked.path), tokenIn(asked.ref)];
  useEffect(() => {
    if (projectId === undefined || path === undefined) return;
    setFiles((known) => {
      const others = (known[projectId] ?? []).filter((one) => one.path !== path || one.ref !== ref);
      return { ...known, [projectId]: [{ path, ref }, ...others].slice(0, maxRecent) };
    });
  }, [projectId, path, ref]);
  return files[projectId ?? ''] ?? [];
}
