import type { ProjectListItem } from '@bottega/contract';
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue, useHotkeys } from '@mantine/hooks';
import { Spotlight } from '@mantine/spotlight';
import { IconFolder, IconMoon, IconPlus, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { useWords } from '../words/words.tsx';
import { paletteStore } from './open-palette.ts';
import { useScreens } from './screens.ts';
import { shellWords } from './shell.words.ts';

/** Ctrl+K: every screen, every project, and what one does often. */
export default function Palette() {
  const words = useWords(shellWords);
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  useHotkeys([
    ['g', () => void navigate({ to: '/projects' })],
    ['n', () => void navigate({ to: '/new' })],
    [',', () => void navigate({ to: '/settings/profile' })],
  ]);
  const groups = usePaletteGroups(typed);
  return (
    <Spotlight
      store={paletteStore}
      shortcut={null}
      actions={groups.filter(({ actions }) => actions.length > 0)}
      query={typed}
      onQueryChange={setTyped}
      // The service has searched already; filtering its answer again would hide what it found by the description.
      filter={(_query, actions) => actions}
      nothingFound={words.nothingFound}
      attributes={{ content: { 'aria-label': words.search } }}
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: words.search,
        'aria-label': words.search,
      }}
    />
  );
}

const icon = { size: 18, stroke: 1.6 };

function usePaletteGroups(typed: string) {
  const words = useWords(shellWords);
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme();
  const projects = useFoundProjects(typed);
  const screens = useScreens(useSession()?.is_admin ?? false);
  const newProject = { to: '/new', label: words.newProject, icon: IconPlus } as const;
  const matches = ({ label }: { label: string }) => label.toLowerCase().includes(typed.toLowerCase());
  return [
    {
      group: words.goTo,
      actions: [...screens, newProject].filter(matches).map(({ to, label, icon: Icon }) => ({
        id: to,
        label,
        leftSection: <Icon {...icon} />,
        onClick: () => void navigate({ to }),
      })),
    },
    {
      group: words.yourProjects,
      actions: projects.map(({ id, name, description }) => ({
        id,
        label: name,
        description,
        leftSection: <IconFolder {...icon} />,
        onClick: () => void navigate({ to: '/projects/$projectId/files', params: { projectId: id } }),
      })),
    },
    {
      group: words.do,
      actions: [
        {
          id: 'theme',
          label: words.toggleTheme,
          leftSection: <IconMoon {...icon} />,
          onClick: () => setColorScheme(scheme === 'dark' ? 'light' : 'dark'),
        },
      ].filter(matches),
    },
  ];
}

function useFoundProjects(typed: string): ProjectListItem[] {
  const [search] = useDebouncedValue(typed.trim(), 150);
  const { data } = useQuery({
    queryKey: ['projects', 'palette', search],
    queryFn: ({ signal }) =>
      call('GET /projects', { query: { limit: 8, sort: 'updated_at', search: search || undefined }, signal }),
    placeholderData: keepPreviousData,
  });
  return data?.data ?? [];
}
