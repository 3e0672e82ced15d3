import type { Deployment, LogEntry, ProjectDetail } from '@bottega/contract';
import { Alert, Anchor, Box, Button, Group, Loader, Stack, Text, Timeline, Title } from '@mantine/core';
import { IconCheck, IconExternalLink, IconX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, once } from '../api/client.ts';
import { projectQuery } from '../api/project.ts';
import { withoutEscapes } from '../deployments/ansi.ts';
import { deploymentQuery, isUnderWay, logLink } from '../deployments/deployments-query.ts';
import { useLog } from '../deployments/use-log.ts';
import { AnchorLink } from '../kit/links.tsx';
import { Loading } from '../kit/loading.tsx';
import { Reason } from '../kit/reason.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { lasting } from '../words/amounts.ts';
import { useLanguage, useWords } from '../words/words.tsx';
import { onlineWords } from './going-online.words.ts';

const shownLines = 5;

type Props = { projectId: string; deploymentId: string; again: (deploymentId: string) => void };

export function GoingOnline({ projectId, deploymentId, again }: Props) {
  const client = useQueryClient();
  const project = useQuery(projectQuery(projectId));
  const deployment = useQuery(deploymentQuery(projectId, deploymentId));
  const refresh = () => void client.invalidateQueries({ queryKey: ['projects', projectId] });
  const { lines } = useLog(logLink(projectId, deploymentId, 'build'), { onEnd: refresh });
  const error = project.error ?? deployment.error;
  if (error) return <Refusal error={error} retry={refresh} />;
  if (!project.data || !deployment.data) return <Loading />;
  return (
    <Stack gap="xl" maw={640}>
      <Steps project={project.data} deployment={deployment.data} />
      {isUnderWay(deployment.data) && <Log lines={lines.slice(-shownLines)} />}
      {deployment.data.status === 'success' && <Ready project={project.data} deployment={deployment.data} />}
      {(deployment.data.status === 'failed' || deployment.data.status === 'canceled') && (
        <Failed deployment={deployment.data} again={again} />
      )}
    </Stack>
  );
}

function Steps({ project, deployment }: { project: ProjectDetail; deployment: Deployment }) {
  const words = useWords(onlineWords);
  const language = useLanguage();
  const { status, queue_position: position, duration } = deployment;
  const isDone = status === 'success';
  const hasEnded = !isUnderWay(deployment);
  const check = <IconCheck size={13} aria-hidden />;
  return (
    <Timeline active={isDone ? 2 : 0} bulletSize={24} lineWidth={2} aria-label={words.steps}>
      <Timeline.Item bullet={check} title={words.created(project.name)}>
        <Text size="sm" c="dimmed">
          {words.createdHint}
        </Text>
      </Timeline.Item>
      <Timeline.Item
        bullet={isDone ? check : hasEnded ? <IconX size={13} aria-hidden /> : <Loader size={12} aria-hidden />}
        title={isDone ? words.built : hasEnded ? words.notBuilt : words[status === 'pending' ? 'pending' : 'building']}
      >
        <Text size="sm" c="dimmed" role="status">
          {isDone && words.builtIn(lasting(Math.max(duration ?? 1, 1), language))}
          {status === 'pending' && position !== null && words.place(position)}
          {status === 'building' && words.buildingHint}
        </Text>
      </Timeline.Item>
      <Timeline.Item
        bullet={isDone && check}
        title={isDone ? words.online : hasEnded ? words.notOnline : words.notYetOnline}
      />
    </Timeline>
  );
}

function Log({ lines }: { lines: LogEntry[] }) {
  const words = useWords(onlineWords);
  return (
    <Stack gap={6}>
      <Box className="build-lines surface" role="log" aria-label={words.log}>
        {lines.map(({ seq, message }) => (
          <span key={seq}>{withoutEscapes(message)}</span>
        ))}
      </Box>
      <Text size="sm" c="dimmed">
        {words.leave}
      </Text>
    </Stack>
  );
}

function Ready({ project, deployment }: { project: ProjectDetail; deployment: Deployment }) {
  const words = useWords(onlineWords);
  const address = project.live_url ?? deployment.url ?? '';
  return (
    <Stack gap="md" className="surface" p="lg">
      <Stack gap={2}>
        <Title order={2}>{words.ready}</Title>
        <Text size="sm" c="dimmed">
          {words.readyHint}
        </Text>
        <Anchor href={address} target="_blank" rel="noopener" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {address}
        </Anchor>
      </Stack>
      <Button
        component="a"
        href={address}
        target="_blank"
        rel="noopener"
        size="md"
        rightSection={<IconExternalLink size={16} aria-hidden />}
        style={{ alignSelf: 'flex-start' }}
        ref={(button: HTMLAnchorElement | null) => button?.focus({ preventScroll: true })}
      >
        {words.open}
      </Button>
      <Group gap="md">
        <Text size="sm" c="dimmed">
          {words.next}
        </Text>
        <AnchorLink to="/projects/$projectId/files" params={{ projectId: project.id }} size="sm">
          {words.edit}
        </AnchorLink>
        <AnchorLink
          to="/projects/$projectId/deployments/$deploymentId"
          params={{ projectId: project.id, deploymentId: deployment.id }}
          size="sm"
        >
          {words.watch}
        </AnchorLink>
        <AnchorLink to="/projects/$projectId/people" params={{ projectId: project.id }} size="sm">
          {words.invite}
        </AnchorLink>
      </Group>
    </Stack>
  );
}

function Failed({ deployment, again }: { deployment: Deployment; again: Props['again'] }) {
  const words = useWords(onlineWords);
  const { id, project_id: projectId, status, error } = deployment;
  const params = { project_id: projectId, deployment_id: id };
  const redeploy = useMutation({
    mutationFn: () => call('POST /projects/{project_id}/deployments/{deployment_id}/redeploy', { params, ...once() }),
    onSuccess: (anew) => again(anew.id),
  });
  return (
    <Alert color="red" variant="outline" role="alert" title={status === 'failed' ? words.failed : words.canceled}>
      <Stack align="flex-start">
        {error && (
          <Text size="sm">
            <Reason field="message" of={error} />
          </Text>
        )}
        <Refusal error={redeploy.error} />
        <Group gap="sm">
          <Button size="xs" variant="default" onClick={() => redeploy.mutate()} loading={redeploy.isPending}>
            {words.again}
          </Button>
          <AnchorLink
            to="/projects/$projectId/deployments/$deploymentId"
            params={{ projectId, deploymentId: id }}
            size="sm"
          >
            {words.look}
          </AnchorLink>
          <AnchorLink to="/projects/$projectId/files" params={{ projectId }} size="sm">
            {words.edit}
          </AnchorLink>
        </Group>
      </Stack>
    </Alert>
  );
}
