import { Box, Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { Loading } from '../kit/loading.tsx';
import { Page } from '../kit/page.tsx';
import { useWords } from '../words/words.tsx';
import { settingsWords } from './settings.words.ts';
import './settings.css';

const sections = ['profile', 'security', 'keys', 'services', 'apps', 'authorized', 'usage', 'audit'] as const;

/** The sections at the left, or in one line that can be pushed along where there is no room. */
export function SettingsLayout() {
  const words = useWords(settingsWords);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  const section = sections.find((one) => pathname.split('/')[2] === one) ?? 'profile';
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every other section, also one that a link led to
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [section, isWide]);
  return (
    <Page title={words.title}>
      <div className="settings">
        <Tabs
          value={section}
          onChange={(value) => void navigate({ to: `/settings/${value as 'profile'}` })}
          orientation={isWide ? 'vertical' : 'horizontal'}
          placement="left"
          variant={isWide ? 'pills' : 'default'}
        >
          <Tabs.List aria-label={words.sections} ref={list}>
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
      </div>
    </Page>
  );
}
