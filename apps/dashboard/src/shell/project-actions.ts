import type { ProjectDetail } from '@bottega/contract';
import {
  IconExternalLink,
  IconFiles,
  IconGitBranch,
  IconGitPullRequest,
  IconHistory,
  IconLayoutDashboard,
  IconMessageCheck,
  IconPlayerPlay,
  IconPlug,
  IconRocket,
  IconSettings,
  IconUserPlus,
  IconUsers,
  IconWebhook,
  IconWorld,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useRights } from '../api/rights.ts';
import { useShownRef } from '../branches/shown-ref.ts';
import { useStartBranch } from '../branches/start-branch.tsx';
import { editorThreadsWords } from '../merge-requests/editor-threads.words.ts';
import { requestsFromQuery } from '../merge-requests/requests-query.ts';
import { projectWords } from '../project/project.words.ts';
import { useWords } from '../words/words.tsx';
import { paletteWords } from './palette.words.ts';
import type { Choice } from './palette-search.ts';

/** The sections of the project, and the actions that the user is allowed to do in it. */
export function useProjectActions(project: ProjectDetail): Choice[] {
  const words = useWords(paletteWords);
  const { write, manage } = useRights(project);
  const navigate = useNavigate();
  const isWorkbench = useLocation().pathname.endsWith('/files');
  const ref = useShownRef();
  const startBranch = useStartBranch(project.id, ref ?? 'main');
  const threads = useThreadsChoice(project.id, isWorkbench);
  const sections = useSections(project);
  const params = { projectId: project.id };
  const { live_url: live, settings } = project;
  // In the workbench, all other search parameters stay.
  const run = () =>
    void navigate({
      to: '/projects/$projectId/files',
      params,
      search: (now) => (isWorkbench ? { ...now, run: true } : { run: true }),
    });
  const deploy = () => void navigate({ to: '/projects/$projectId/deployments', params, search: { deploy: true } });
  const offer = () => void navigate({ to: '/projects/$projectId/merge-requests/new', params, search: { source: ref } });
  const invite = () => void navigate({ to: '/projects/$projectId/people', params });
  const isVersioned = write && settings.version_control;
  const actions: (Choice | false)[] = [
    write && { id: 'run', label: words.run, icon: IconPlayerPlay, choose: run },
    write && { id: 'deploy', label: words.deploy, icon: IconRocket, choose: deploy },
    isVersioned && {
      id: 'new-branch',
      label: words.newBranch,
      icon: IconGitBranch,
      choose: () => startBranch({ from: ref ?? 'main' }),
    },
    isVersioned && { id: 'new-request', label: words.newRequest, icon: IconGitPullRequest, choose: offer },
    manage && { id: 'invite', label: words.invite, icon: IconUserPlus, choose: invite },
    live !== null && {
      id: 'live',
      label: words.openLive,
      icon: IconExternalLink,
      choose: () => void window.open(live, '_blank', 'noreferrer'),
    },
  ];
  return [...threads, ...actions.filter((action) => action !== false), ...sections];
}

const ofMembers: ReadonlySet<string> = new Set(['deployments', 'domains', 'webhooks']);

const sectionIcons = {
  overview: IconLayoutDashboard,
  files: IconFiles,
  history: IconHistory,
  branches: IconGitBranch,
  'merge-requests': IconGitPullRequest,
  deployments: IconRocket,
  domains: IconWorld,
  people: IconUsers,
  settings: IconSettings,
  webhooks: IconWebhook,
  connect: IconPlug,
} as const;

function useSections(project: ProjectDetail): Choice[] {
  const words = useWords(projectWords);
  const { isMember } = useRights(project);
  const navigate = useNavigate();
  const names = Object.keys(sectionIcons) as (keyof typeof sectionIcons)[];
  return names
    .filter((name) => isMember || !ofMembers.has(name))
    .map((name) => ({
      id: `section-${name}`,
      label: words[name],
      icon: sectionIcons[name],
      choose: () => void navigate({ to: `/projects/$projectId/${name}`, params: { projectId: project.id } }),
    }));
}

/**
 * The choice that shows the threads about the branch in the workbench, if the branch is the source of a merge request.
 */
function useThreadsChoice(projectId: string, isWorkbench: boolean): Choice[] {
  const words = useWords(editorThreadsWords);
  const navigate = useNavigate();
  const branch = useShownRef() ?? 'main';
  const { data = [] } = useQuery({ ...requestsFromQuery(projectId, branch), enabled: isWorkbench });
  if (!isWorkbench || data.length === 0) return [];
  const choose = () =>
    void navigate({
      to: '/projects/$projectId/files',
      params: { projectId },
      search: (now) => ({ ...now, thread: 'all' }),
    });
  return [{ id: 'threads', label: words.show, icon: IconMessageCheck, choose }];
}
