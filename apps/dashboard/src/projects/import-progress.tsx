import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { projectQuery } from '../api/project.ts';
import { AnchorLink, ButtonLink } from '../kit/links.tsx';
import { Reason } from '../kit/reason.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { newProjectWords } from './new-project.words.ts';

/** The progress of an import, polled once a second until it has ended. */
export function ImportProgress({ projectId }: { projectId: string }) {
  const words = useWords(newProjectWords);
  const client = useQueryClient();
  const project = useQuery({
    ...projectQuery(projectId),
    refetchInterval: ({ state }) => (state.data?.repository?.status === 'syncing' ? 1000 : false),
  });
  const again = useMutation({
    mutationFn: () => call('POST /projects/{project_id}/repository/sync', { params: { project_id: projectId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['projects', projectId] }),
  });
  const repository = project.data?.repository;
  if (repository?.status === 'failed') {
    return (
      <Alert color="red" variant="outline" title={words.importFailed} role="alert">
        <Stack align="flex-start">
          <Text size="sm">
            <Reason field="error" of={repository} />
          </Text>
          <Refusal error={again.error} />
          <Group gap="sm">
            <Button size="xs" variant="default" onClick={() => again.mutate()} loading={again.isPending}>
              {words.again}
            </Button>
            <AnchorLink to="/projects/$projectId/settings" params={{ projectId }} size="sm">
              {words.changeAddress}
            </AnchorLink>
          </Group>
        </Stack>
      </Alert>
    );
  }
  const isThere = repository?.status === 'idle';
  return (
    <Stack role="status" className="surface" p="md">
      <Text fw={600}>{isThere ? words.imported : words.importing}</Text>
      <Progress value={100} animated={!isThere} aria-label={isThere ? words.imported : words.importing} />
      {!isThere && (
        <Text size="sm" c="dimmed">
          {words.importingHint}
        </Text>
      )}
      <Refusal error={project.error} retry={project.refetch} />
      <Group>
        <ButtonLink to="/projects/$projectId/files" params={{ projectId }} disabled={!isThere}>
          {words.open}
        </ButtonLink>
      </Group>
    </Stack>
  );
}
