import type { File, ProjectDetail } from '@bottega/contract';
import { Grid, Stack } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { call } from '../api/client.ts';
import { projectQuery } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { Loading } from '../kit/loading.tsx';
import { Content, useTitle } from '../kit/page.tsx';
import { ItemList } from '../kit/paged-list.tsx';
import { useWords } from '../words/words.tsx';
import { ActivityCard } from './activity-card.tsx';
import { ForkCard } from './fork-card.tsx';
import { LatestCommits } from './latest-commits.tsx';
import { LiveCard } from './live-card.tsx';
import { overviewWords } from './overview.words.ts';
import { PeopleCard } from './people-card.tsx';
import { Readme } from './readme.tsx';

const FirstSteps = lazy(async () => ({ default: (await import('./first-steps.tsx')).FirstSteps }));
const route = getRouteApi('/inside/projects/$projectId/overview');

/** Shows what the project is, whether it is online, and its latest activity. */
export function OverviewScreen() {
  const words = useWords(overviewWords);
  const { projectId } = route.useParams();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const { isMember, write } = useRights(project);
  useTitle(project.name);
  const topFiles = useQuery({
    queryKey: ['projects', projectId, 'files', 'top'],
    queryFn: async ({ signal }) =>
      (await call('GET /projects/{project_id}/files', { params: { project_id: projectId }, signal })).data,
  });
  return (
    <Content>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <ItemList answer={topFiles} items={topFiles.data && [topFiles.data]} none={{ title: '', hint: '' }}>
            {([files = []]) => <Main project={project} files={files} />}
          </ItemList>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack component="aside" aria-label={words.besides}>
            <ForkCard project={project} canWrite={write} />
            <LiveCard project={project} topFiles={topFiles.data} />
            {project.settings.version_control && <LatestCommits projectId={projectId} />}
            <PeopleCard project={project} />
            {isMember && <ActivityCard projectId={projectId} />}
          </Stack>
        </Grid.Col>
      </Grid>
    </Content>
  );
}

function Main({ project, files }: { project: ProjectDetail; files: File[] }) {
  const { write } = useRights(project);
  if (files.length === 0) {
    return (
      <Suspense fallback={<Loading />}>
        <FirstSteps project={project} canWrite={write} />
      </Suspense>
    );
  }
  return <Readme projectId={project.id} files={files} canWrite={write} />;
}
