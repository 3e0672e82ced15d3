import {
  IconFile,
  IconFilePlus,
  IconHistory,
  IconLayoutDashboard,
  IconRocket,
  IconSettings,
  IconUserPlus,
  type TablerIcon,
} from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { shellWords } from './shell.words.ts';

/** One line of the palette. */
export type Choice = { id: string; label: string; description?: string; icon: TablerIcon; choose: () => void };

const mostRecent = 8;

/** Actions in the open project, and its files that were last opened here. */
export function useProjectChoices(): { screens: Choice[]; files: Choice[] } {
  const words = useWords(shellWords);
  const navigate = useNavigate();
  const projectId = /^\/projects\/(prj_\w+)/.exec(useLocation().pathname)?.[1];
  const recent = useRecentFiles(projectId);
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
      id: 'history',
      label: words.history,
      icon: IconHistory,
      choose: () => void navigate({ to: '/projects/$projectId/history', params }),
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
  const files = recent.map((path) => ({
    id: path,
    label: path,
    icon: IconFile,
    choose: () => void navigate({ to: '/projects/$projectId/files', params, search: { path } }),
  }));
  return { screens, files };
}

/** Kept in memory only: the next user of this browser must not see them. */
function useRecentFiles(projectId: string | undefined): string[] {
  const { pathname, search } = useLocation();
  const [files, setFiles] = useState<Record<string, string[]>>({});
  const path: unknown = pathname.endsWith('/files') ? (search as { path?: unknown }).path : undefined;
  useEffect(() => {
    if (projectId === undefined || typeof path !== 'string') return;
    setFiles((known) => {
      const others = (known[projectId] ?? []).filter((one) => one !== path);
      return { ...known, [projectId]: [path, ...others].slice(0, mostRecent) };
    });
  }, [projectId, path]);
  return files[projectId ?? ''] ?? [];
}
