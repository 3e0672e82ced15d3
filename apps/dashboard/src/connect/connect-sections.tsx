import { Group, Stack } from '@mantine/core';
import { CopyLine } from '../kit/copy-line.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Section } from '../kit/page.tsx';
import { useWords } from '../words/words.tsx';
import { connectWords } from './connect.words.ts';

/** How programs reach the service, or one project of it: what to copy into a terminal, a program or an agent. */
export function ConnectSections({ projectId }: { projectId?: string }) {
  const words = useWords(connectWords);
  const { origin } = window.location;
  const repository = `${origin}/git/${projectId ?? 'PROJECT_ID'}.git`;
  const ways = [
    {
      title: words.cli,
      hint: words.cliHint,
      lines: [
        [words.install, 'npm install -g @bottega/cli'],
        [words.logIn, `btg login ${origin}`],
        projectId ? [words.cloneHere, `btg clone ${projectId}`] : [words.listProjects, 'btg projects ls'],
      ],
    },
    {
      title: words.sdk,
      hint: words.sdkHint,
      lines: [
        [words.install, 'npm install @bottega/sdk'],
        [words.client, `new Bottega({ baseUrl: '${origin}', token: process.env.BOTTEGA_TOKEN })`],
      ],
    },
    { title: words.git, hint: words.gitHint, lines: [[words.clone, `git clone ${repository}`]] },
    {
      title: words.mcp,
      hint: words.mcpHint,
      lines: [[words.server, `${origin}/mcp${projectId ? `?project=${projectId}` : ''}`]],
    },
  ] as const;
  return (
    <div>
      {ways.map(({ title, hint, lines }) => (
        <Section key={title} title={title} hint={hint}>
          <Stack gap="xs" maw={640}>
            {lines.map(([label, value]) => (
              <CopyLine key={label} label={label} value={value} isNamed />
            ))}
          </Stack>
        </Section>
      ))}
      <Group gap="md">
        <AnchorLink to="/settings/keys" size="sm">
          {words.makeKey}
        </AnchorLink>
        <AnchorLink to="/settings/authorized" size="sm">
          {words.authorized}
        </AnchorLink>
      </Group>
    </div>
  );
}
