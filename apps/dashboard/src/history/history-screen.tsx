import { Box, Group, Text } from '@mantine/core';
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { projectQuery } from '../api/project.ts';
import { AnchorLink } from '../kit/links.tsx';
import { Content, Empty, useTitle } from '../kit/page.tsx';
import { PagedList, Rows } from '../kit/paged-list.tsx';
import { useWords } from '../words/words.tsx';
import { CommitRow } from './commit-row.tsx';
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
    <Content>
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
              <CommitRow key={commit.sha} commit={commit} projectId={projectId} branch={ref} />
            ))}
          </Rows>
        )}
      </PagedList>
    </Content>
  );
}
