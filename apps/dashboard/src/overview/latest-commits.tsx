import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { Card } from '../kit/card.tsx';
import { ItemList } from '../kit/paged-list.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { overviewWords } from './overview.words.ts';

export function LatestCommits({ projectId }: { projectId: string }) {
  const words = useWords(overviewWords);
  const commits = useQuery({
    queryKey: ['projects', projectId, 'commits', 'latest'],
    queryFn: ({ signal }) => {
      const params = { project_id: projectId };
      return call('GET /projects/{project_id}/commits', { params, query: { limit: 5 }, signal });
    },
  });
  return (
    <Card
      title={words.commits}
      action={{ to: '/projects/$projectId/history', params: { projectId } }}
      actionWord={words.all}
    >
      <ItemList
        answer={commits}
        items={commits.data?.data}
        lines={3}
        none={{ title: words.noCommits, hint: words.noCommitsHint }}
      >
        {(rows) => (
          <Stack gap="xs">
            {rows.map(({ sha, message, author, committed_at: at }) => (
              <div key={sha}>
                <Link to="/projects/$projectId/history/$sha" params={{ projectId, sha }} className="plain">
                  <Text size="sm" fw={600} truncate>
                    {message.split('\n', 1)[0]}
                  </Text>
                </Link>
                <Text size="xs" c="dimmed" truncate>
                  {author.name}, <Ago at={at} />
                </Text>
              </div>
            ))}
          </Stack>
        )}
      </ItemList>
    </Card>
  );
}
