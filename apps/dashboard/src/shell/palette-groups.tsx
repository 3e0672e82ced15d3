import type { ProjectListItem } from '@bottega/contract';
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFolder, IconKeyboard, IconLanguage, IconMoon, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { sessionKey, useSession } from '../api/session.ts';
import { toastRefusal } from '../kit/toast.ts';
import { useLanguage, useWords } from '../words/words.tsx';
import { type Choice, useProjectChoices } from './project-choices.ts';
import { useScreens } from './screens.ts';
import { shellWords } from './shell.words.ts';

/** The entries by kind. Those of the open project come first, because the user works on it. */
export function usePaletteGroups(typed: string, showShortcuts: () => void) {
  const words = useWords(shellWords);
  const navigate = useNavigate();
  const inProject = useProjectChoices();
  const found = useFoundProjects(typed);
  const screens = useScreens(useSession()?.is_admin ?? false);
  const newProject = { to: '/new', label: words.newProject, icon: IconPlus } as const;
  const goTo = [...screens, newProject].map(({ to, label, icon }) => ({
    id: to,
    label,
    icon,
    choose: () => void navigate({ to }),
  }));
  const projects = found.map(({ id, name, description }) => ({
    id,
    label: name,
    description,
    icon: IconFolder,
    choose: () => void navigate({ to: '/projects/$projectId/overview', params: { projectId: id } }),
  }));
  const matches = ({ label }: Choice) => label.toLowerCase().includes(typed.trim().toLowerCase());
  return [
    { group: words.inProject, actions: inProject.screens.filter(matches).map(asAction) },
    { group: words.recentFiles, actions: inProject.files.filter(matches).map(asAction) },
    { group: words.goTo, actions: goTo.filter(matches).map(asAction) },
    // The service has already searched these projects, including their descriptions.
    { group: words.yourProjects, actions: projects.map(asAction) },
    { group: words.do, actions: useDoings(showShortcuts).filter(matches).map(asAction) },
  ];
}

const asAction = ({ icon: Icon, choose, ...shown }: Choice) => ({
  ...shown,
  leftSection: <Icon size={18} stroke={1.6} />,
  onClick: choose,
});

function useDoings(showShortcuts: () => void): Choice[] {
  const words = useWords(shellWords);
  const client = useQueryClient();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme();
  const other = useLanguage() === 'de' ? 'en' : 'de';
  const speak = useMutation({
    mutationFn: () => call('PATCH /user', { body: { preferences: { language: other } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionKey }),
    onError: toastRefusal,
  });
  return [
    {
      id: 'theme',
      label: words.toggleTheme,
      icon: IconMoon,
      choose: () => setColorScheme(scheme === 'dark' ? 'light' : 'dark'),
    },
    { id: 'language', label: words.otherLanguage, icon: IconLanguage, choose: () => speak.mutate() },
    { id: 'shortcuts', label: words.shortcuts, icon: IconKeyboard, choose: showShortcuts },
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
