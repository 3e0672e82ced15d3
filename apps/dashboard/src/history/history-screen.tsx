import type { Commit } from '@bottega/contract';
import { Box, Code, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { projectQuery } from '../api/project.ts';
import { AnchorLink } from '../kit/links.tsx';
import { Empty, useTitle } from '../kit/page.tsx';
import { PagedList, Rows } from '../kit/paged-list.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { historyWords } from './history.words.ts';

const route = getRouteApi('/inside/projects/$projectId/history');

export function HistoryScreen() {
  const words = useWords(historyWords);
  const { projectId } = route.useParams();
  const { path, ref, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  useTitle(`${words.title} · ${project.name}`);
  const commits = useQuery({
    queryKey: ['projects', projectId, 'commits', { path, ref, page }],
    queryFn: ({ signal }) => {
      const params = { project_id: projectId };
      return call('GET /projects/{project_id}/commits', { params, query: { path, ref, page, limit: 30 }, signal });
    },
    placeholderData: keepPreviousData,
  });
  if (!project.settings.version_control) {
    return (
      <Box p="md">
        <Empty title={words.off} hint={words.offHint} />
      </Box>
    );
  }
  return (
    <Box p="md" maw={960} w="100%">
      {path && (
        <Group mb="sm" gap="xs">
          <Text size="sm">{words.ofPath(path)}</Text>
          <AnchorLink to="/projects/$projectId/history" params={{ projectId }} search={{ ref }} size="sm">
            {words.all}
          </AnchorLink>
        </Group>
      )}
      <PagedList
        answer={commits}
        items={commits.data?.data}
        none={{ title: words.none, hint: words.noneHint }}
        page={page}
        pages={commits.data?.pagination.total_pages}
        go={(wanted) => void navigate({ search: { path, ref, page: wanted } })}
      >
        {(rows) => (
          <Rows>
            {rows.map((commit) => (
              <CommitRow key={commit.sha} commit={commit} projectId={projectId} />
            ))}
          </Rows>
        )}
      </PagedList>
    </Box>
  );
}

function CommitRow({ commit, projectId }: { commit: Commit; projectId: string }) {
  const words = useWords(historyWords);
  return (
    <Group justify="space-between" wrap="nowrap" px="sm" py={8}>
      <Stack gap={0} style={{ minWidth: 0 }}>
        <Link to="/projects/$projectId/history/$sha" params={{ projectId, sha: commit.sha }} className="plain">
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
