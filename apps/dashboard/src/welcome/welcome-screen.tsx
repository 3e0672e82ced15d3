import { Anchor, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconFilePlus, IconGitBranch, IconMailOpened, IconTemplate } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useSignedIn } from '../api/session.ts';
import { AnchorLink } from '../kit/links.tsx';
import { Page } from '../kit/page.tsx';
import { useWords } from '../words/words.tsx';
import { FirstProject } from './first-project.tsx';
import { GoingOnline } from './going-online.tsx';
import { welcomeWords } from './welcome.words.ts';

const route = getRouteApi('/inside/welcome');

/**
 * The first screen of a new account. It creates a project from a template and puts it online. The URL stores the
 * progress.
 */
export function WelcomeScreen() {
  const words = useWords(welcomeWords);
  const { user } = useSignedIn();
  const { project, deployment } = route.useSearch();
  const navigate = route.useNavigate();
  const watch = (search: { project: string; deployment: string }) => void navigate({ search });
  return (
    <Page title={words.title(user.name)} hint={words.hint}>
      {project && deployment ? (
        <GoingOnline
          projectId={project}
          deploymentId={deployment}
          again={(anew) => watch({ project, deployment: anew })}
        />
      ) : (
        <>
          <FirstProject begun={watch} />
          <OtherWays />
        </>
      )}
    </Page>
  );
}

function OtherWays() {
  const words = useWords(welcomeWords);
  const ways = [
    { title: words.allTemplates, icon: IconTemplate, to: '/new', search: { from: 'template' } },
    { title: words.blank, hint: words.blankHint, icon: IconFilePlus, to: '/new', search: {} },
    { title: words.import, hint: words.importHint, icon: IconGitBranch, to: '/new', search: { from: 'import' } },
    { title: words.join, hint: words.joinHint, icon: IconMailOpened, to: '/invitations', search: {} },
  ] as const;
  return (
    <Stack mt={40} gap="sm">
      <Title order={2}>{words.otherwise}</Title>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
        {ways.map(({ title, icon: Icon, to, search, ...way }) => (
          <Group key={title} gap="xs" wrap="nowrap" align="flex-start">
            <Icon size={18} stroke={1.6} aria-hidden style={{ flex: 'none', marginTop: 1 }} />
            <Stack gap={0}>
              <AnchorLink to={to} search={search} size="sm" fw={600}>
                {title}
              </AnchorLink>
              {'hint' in way && (
                <Text size="xs" c="dimmed">
                  {way.hint}
                </Text>
              )}
            </Stack>
          </Group>
        ))}
      </SimpleGrid>
      <Group mt="sm" gap="xs">
        <Text size="sm">{words.scripts}</Text>
        <AnchorLink to="/settings/keys" size="sm" underline="always">
          {words.key}
        </AnchorLink>
        <Anchor href="/docs/" size="sm" underline="always">
          {words.documentation}
        </Anchor>
      </Group>
    </Stack>
  );
}
