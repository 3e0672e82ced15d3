import type { ProjectDetail } from '@bottega/contract';
import { Button, Stack, Text } from '@mantine/core';
import { IconGitFork } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call, once } from '../api/client.ts';
import { projectQuery } from '../api/project.ts';
import { AnchorLink, ButtonLink } from '../kit/links.tsx';
import { toastRefusal } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { overviewWords } from './overview.words.ts';

/** Shows how somebody who can only read the project can propose changes to it or, for a fork, where it comes from. */
export function ForkCard({ project, canWrite }: { project: ProjectDetail; canWrite: boolean }) {
  if (project.forked_from !== null && canWrite) return <Origin project={project} upstream={project.forked_from} />;
  return project.settings.version_control && !canWrite ? <Fork project={project} /> : null;
}

function Fork({ project }: { project: ProjectDetail }) {
  const words = useWords(overviewWords);
  const navigate = useNavigate();
  const fork = useMutation({
    mutationFn: () =>
      call('POST /projects/{project_id}/fork', { params: { project_id: project.id }, body: {}, ...once() }),
    onError: toastRefusal,
    onSuccess: ({ id }) => navigate({ to: '/projects/$projectId/overview', params: { projectId: id } }),
  });
  return (
    <Stack gap={6} className="surface" p="sm">
      <Text size="sm">{words.forkHint}</Text>
      <Button
        variant="default"
        leftSection={<IconGitFork size={16} />}
        loading={fork.isPending}
        onClick={() => fork.mutate()}
      >
        {words.fork}
      </Button>
    </Stack>
  );
}

function Origin({ project, upstream }: { project: ProjectDetail; upstream: string }) {
  const words = useWords(overviewWords);
  const { data } = useQuery({ ...projectQuery(upstream), retry: false });
  if (!data) return null;
  return (
    <Stack gap={6} className="surface" p="sm">
      <Text size="sm" className="breaks-anywhere">
        {words.forkOf}{' '}
        <AnchorLink to="/projects/$projectId/overview" params={{ projectId: upstream }}>
          {data.name}
        </AnchorLink>
      </Text>
      <ButtonLink
        to="/projects/$projectId/merge-requests/new"
        params={{ projectId: project.id }}
        search={{ to: 'upstream' }}
        variant="default"
      >
        {words.offer}
      </ButtonLink>
    </Stack>
  );
}
