import {
  IconCompass,
  IconFolders,
  IconGitPullRequest,
  IconMailOpened,
  IconSettings,
  IconShieldLock,
  IconWebhook,
} from '@tabler/icons-react';
import { useWords } from '../words/words.tsx';
import { shellWords } from './shell.words.ts';

/** All screens that can be opened from anywhere. */
export function useScreens(isAdmin: boolean) {
  const words = useWords(shellWords);
  const screens = [
    { to: '/projects', label: words.projects, icon: IconFolders },
    { to: '/explore', label: words.explore, icon: IconCompass },
    { to: '/reviews', label: words.reviews, icon: IconGitPullRequest },
    { to: '/invitations', label: words.invitations, icon: IconMailOpened },
    { to: '/webhooks', label: words.webhooks, icon: IconWebhook },
    { to: '/settings', label: words.settings, icon: IconSettings },
  ] as const;
  return isAdmin ? [...screens, { to: '/admin', label: words.administration, icon: IconShieldLock } as const] : screens;
}
