import type { ProjectDetail } from '@bottega/contract';
import { IconFile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { projectQuery } from '../api/project.ts';
import { useWords } from '../words/words.tsx';
import { useGeneralChoices } from './general-choices.ts';
import { paletteWords } from './palette.words.ts';
import { PaletteList } from './palette-list.tsx';
import { type Choice, hitsOf } from './palette-search.ts';
import { useProjectActions } from './project-actions.ts';
import { useProjectFinds } from './project-finds.ts';
import { projectIn, type Recent } from './recent-files.ts';

type Props = { recent: readonly Recent[]; showShortcuts: () => void; close: () => void };

export function PaletteContent({ recent, showShortcuts, close }: Props) {
  const projectId = projectIn(useLocation().pathname) ?? '';
  const { data: project } = useQuery({ ...projectQuery(projectId), enabled: projectId !== '' });
  const [typed, setTyped] = useState('');
  const shared = { typed, setTyped, showShortcuts, close };
  return project ? <OfProject {...shared} project={project} recent={recent} /> : <General {...shared} />;
}

type Shared = Omit<Props, 'recent'> & { typed: string; setTyped: (typed: string) => void };

function General({ typed, setTyped, showShortcuts, close }: Shared) {
  const { groups, isComplete } = useGeneralChoices(typed, showShortcuts);
  return <PaletteList {...{ typed, setTyped, close, isComplete }} groups={hitsOf(groups, typed)} />;
}

/** The palette in a project. Choices of the open project come first, because the user is working on it. */
function OfProject({ typed, setTyped, showShortcuts, close, project, recent }: Shared & OfProjectProps) {
  const words = useWords(paletteWords);
  const general = useGeneralChoices(typed, showShortcuts);
  const finds = useProjectFinds(project, typed);
  const files = useRecentChoices(project.id, recent);
  const groups = [
    { heading: words.inProject, choices: useProjectActions(project) },
    // Once something is typed, all files are searched.
    { heading: words.recentFiles, choices: typed.trim() === '' ? files : [] },
    ...finds.groups,
    ...general.groups,
  ];
  const isComplete = general.isComplete && finds.isComplete;
  return <PaletteList {...{ typed, setTyped, close, isComplete }} groups={hitsOf(groups, typed)} />;
}

type OfProjectProps = { project: ProjectDetail; recent: readonly Recent[] };

function useRecentChoices(projectId: string, recent: readonly Recent[]): Choice[] {
  const navigate = useNavigate();
  return recent.map(({ path, ref }) => ({
    id: `recent-${ref ?? ''} ${path}`,
    label: path,
    ...(ref !== undefined && { description: ref }),
    icon: IconFile,
    choose: () => void navigate({ to: '/projects/$projectId/files', params: { projectId }, search: { ref, path } }),
  }));
}
