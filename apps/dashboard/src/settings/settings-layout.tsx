import { Box, Tabs } from '@mantine/core';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { Loading } from '../shell/loading.tsx';
import { Page } from '../shell/page.tsx';
import { useWords } from '../words/words.tsx';
import { settingsWords } from './settings.words.ts';

const sections = ['profile', 'security', 'keys', 'usage', 'audit'] as const;

export function SettingsLayout() {
  const words = useWords(settingsWords);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const section = sections.find((one) => pathname.split('/')[2] === one) ?? 'profile';
  return (
    <Page title={words.title} width={880}>
      <Tabs value={section} onChange={(value) => void navigate({ to: `/settings/${value as 'profile'}` })} mb="lg">
        <Tabs.List aria-label={words.sections}>
          {sections.map((one) => (
            <Tabs.Tab key={one} value={one} aria-controls="settings-section" py={8}>
              {words[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <Box id="settings-section" role="tabpanel" aria-label={words[section]}>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </Box>
    </Page>
  );
}
