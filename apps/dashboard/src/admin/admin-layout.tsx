import { Box, Tabs } from '@mantine/core';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useSignedIn } from '../api/session.ts';
import { ButtonLink } from '../kit/links.tsx';
import { Loading } from '../kit/loading.tsx';
import { Empty, Page } from '../kit/page.tsx';
import { useWords } from '../words/words.tsx';
import { adminWords } from './admin.words.ts';

const sections = ['users', 'plans', 'health', 'audit'] as const;

/** The service refuses everybody else anyway; here they are told so before anything is asked for. */
export function AdminLayout() {
  const words = useWords(adminWords);
  const { is_admin: isAdmin } = useSignedIn();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const section = sections.find((one) => pathname.split('/')[2] === one) ?? 'users';
  if (!isAdmin) {
    return (
      <Page title={words.title} width={720}>
        <Empty title={words.notYours} hint={words.notYoursHint}>
          <ButtonLink to="/projects" variant="default">
            {words.toProjects}
          </ButtonLink>
        </Empty>
      </Page>
    );
  }
  return (
    <Page title={words.title}>
      <Tabs value={section} onChange={(value) => void navigate({ to: `/admin/${value as 'users'}` })} mb="lg">
        <Tabs.List aria-label={words.sections}>
          {sections.map((one) => (
            <Tabs.Tab key={one} value={one} aria-controls="admin-section" py={8}>
              {words[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <Box id="admin-section" role="tabpanel" aria-label={words[section]}>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </Box>
    </Page>
  );
}
