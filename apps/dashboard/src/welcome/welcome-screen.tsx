import { Anchor, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconFilePlus, IconGitBranch, IconMailOpened, IconTemplate } from '@tabler/icons-react';
import { useSignedIn } from '../api/session.ts';
import { AnchorLink, ButtonLink } from '../shell/links.tsx';
import { Page } from '../shell/page.tsx';
import { useWords } from '../words/words.tsx';
import { welcomeWords } from './welcome.words.ts';

/** Where a new account begins: the ways to a first project, one click each. */
export function WelcomeScreen() {
  const words = useWords(welcomeWords);
  const { user } = useSignedIn();
  const ways = [
    {
      title: words.template,
      hint: words.templateHint,
      icon: IconTemplate,
      to: '/new',
      search: { from: 'template' },
    },
    { title: words.blank, hint: words.blankHint, icon: IconFilePlus, to: '/new', search: {} },
    { title: words.import, hint: words.importHint, icon: IconGitBranch, to: '/new', search: { from: 'import' } },
    { title: words.join, hint: words.joinHint, icon: IconMailOpened, to: '/invitations', search: {} },
  ] as const;
  return (
    <Page title={words.title(user.name)} hint={words.hint} width={1080}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        {ways.map(({ title, hint, icon: Icon, to, search }) => (
          <Card key={title} withBorder padding="md">
            <Stack gap="xs" h="100%">
              <Icon size={22} stroke={1.5} aria-hidden />
              <Text fw={600}>{title}</Text>
              <Text size="sm" c="dimmed" style={{ flex: 1 }}>
                {hint}
              </Text>
              <ButtonLink to={to} search={search} variant="default">
                {title}
              </ButtonLink>
            </Stack>
          </Card>
        ))}
      </SimpleGrid>
      <Group mt="lg" gap="xs">
        <Text size="sm">{words.scripts}</Text>
        <AnchorLink to="/settings/keys" size="sm" underline="always">
          {words.key}
        </AnchorLink>
        <Anchor href="/docs/" size="sm" underline="always">
          {words.documentation}
        </Anchor>
      </Group>
    </Page>
  );
}
