import { Group, Stack } from '@mantine/core';
import { CopyLine } from '../kit/copy-line.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Section } from '../kit/page.tsx';
import { useWords } from '../words/words.tsx';
import { connectCommands } from './commands.ts';
import { connectWords } from './connect.words.ts';

/**
 * Shows how programs reach the service or one of its projects, as commands to copy into a terminal, a program or an
 * agent.
 */
export function ConnectSections({ projectId }: { projectId?: string }) {
  const words = useWords(connectWords);
  const commands = connectCommands(window.location.origin, projectId);
  const ways = [
    {
      title: words.cli,
      hint: words.cliHint,
      lines: [
        [words.install, commands.installCli],
        [words.logIn, commands.logIn],
        projectId ? [words.cloneHere, commands.cloneProject] : [words.listProjects, commands.listProjects],
      ],
    },
    {
      title: words.sdk,
      hint: words.sdkHint,
      lines: [
        [words.install, commands.installSdk],
        [words.client, commands.client],
      ],
    },
    { title: words.git, hint: words.gitHint, lines: [[words.clone, commands.gitClone]] },
    { title: words.mcp, hint: words.mcpHint, lines: [[words.server, commands.mcp]] },
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
