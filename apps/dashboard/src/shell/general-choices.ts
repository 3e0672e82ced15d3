import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFolder, IconKeyboard, IconLanguage, IconMoon, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { sessionKey, useSession } from '../api/session.ts';
import { toastRefusal } from '../kit/toast.ts';
import { languages } from '../words/languages.ts';
import { useLanguage, useWords } from '../words/words.tsx';
import { paletteWords } from './palette.words.ts';
import type { Choice, ChoiceGroup } from './palette-search.ts';
import { useScreens } from './screens.ts';
import { shellWords } from './shell.words.ts';

export type Finds = {
  groups: ChoiceGroup[];
  /** False while an answer about the typed text is missing. */
  isComplete: boolean;
};

/** The choices that the palette offers on every screen. */
export function useGeneralChoices(typed: string, showShortcuts: () => void): Finds {
  const words = useWords(shellWords);
  const palette = useWords(paletteWords);
  const navigate = useNavigate();
  const projects = useFoundProjects(typed);
  const screens = useScreens(useSession()?.is_admin ?? false);
  const newProject = { to: '/new', label: words.newProject, icon: IconPlus } as const;
  const goTo = [...screens, newProject].map(({ to, label, icon }) => ({
    id: to,
    label,
    icon,
    choose: () => void navigate({ to }),
  }));
  const doings = useDoings(showShortcuts);
  return {
    groups: [
      { heading: palette.yourProjects, choices: projects.choices },
      { heading: palette.goTo, choices: goTo },
      { heading: palette.do, choices: doings },
    ],
    isComplete: projects.isComplete,
  };
}

function useDoings(showShortcuts: () => void): Choice[] {
  const words = useWords(paletteWords);
  const { shortcuts } = useWords(shellWords);
  const client = useQueryClient();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme();
  const language = useLanguage();
  const speak = useMutation({
    mutationFn: (other: string) => call('PATCH /user', { body: { preferences: { language: other } } }),
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
    ...Object.entries(languages)
      .filter(([other]) => other !== language)
      .map(([other, name]) => ({
        id: `language ${other}`,
        label: words.switchTo(name),
        icon: IconLanguage,
        choose: () => speak.mutate(other),
      })),
    { id: 'shortcuts', label: shortcuts, icon: IconKeyboard, choose: showShortcuts },
  ];
}

function useFoundProjects(typed: string): { choices: Choice[]; isComplete: boolean } {
  const navigate = useNavigate();
  const sought = typed.trim();
  const [search] = useDebouncedValue(sought, 150);
  const { data, isPlaceholderData, isPending } = useQuery({
    queryKey: ['projects', 'palette', search],
    queryFn: ({ signal }) =>
      call('GET /projects', { query: { limit: 8, sort: 'updated_at', search: search || undefined }, signal }),
    placeholderData: keepPreviousData,
  });
  const choices = (data?.data ?? []).map(({ id, name, description }) => ({
    id,
    label: name,
    description,
    icon: IconFolder,
    choose: () => void navigate({ to: '/projects/$projectId/overview', params: { projectId: id } }),
  }));
  return { choices, isComplete: search === sought && !isPlaceholderData && !isPending };
}
