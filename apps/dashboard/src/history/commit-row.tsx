import type { Commit } from '@bottega/contract';
import { Code, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { historyWords } from './history.words.ts';

type Props = { commit: Commit; projectId: string; branch: string | undefined };

/** A commit in a list: the first line of its message as a link, its author and time. */
export function CommitRow({ commit, projectId, branch }: Props) {
  const words = useWords(historyWords);
  return (
    <Group justify="space-between" wrap="nowrap" px="sm" py={8}>
      <Stack gap={0} style={{ minWidth: 0 }}>
        <Link
          to="/projects/$projectId/history/$sha"
          params={{ projectId, sha: commit.sha }}
          search={{ ref: branch }}
          className="plain"
        >
          <Text size="sm" fw={600} truncate>
            {commit.message.split('\n', 1)[0]}
          </Text>
        </Link>
        <Text size="xs" c="dimmed">
          {words.by(commit.author.name)}, <Ago at={commit.committed_at} />
        </Text>
      </Stack>
      <Code>{commit.sha.slice(0, 8)}</Code>
    </Group>
  );
}
