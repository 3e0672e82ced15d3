import './deployments.css';
import type { Deployment, ProjectDetail } from '@bottega/contract';
import { Box, Code, Group, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { projectQuery } from '../api/project.ts';
import { CopyLine } from '../kit/copy-line.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { useTitle } from '../kit/page.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { deploymentWords } from './deployment.words.ts';
import { DeploymentActions } from './deployment-actions.tsx';
import { deploymentsWords } from './deployments.words.ts';
import { deploymentQuery, deploymentsKey } from './deployments-query.ts';
import { Failure } from './failure.tsx';
import { LogPanel } from './log-panel.tsx';
import { LiveBadge, StatusLabel } from './status-label.tsx';
import { StatusTimeline } from './timeline.tsx';
import { useLog } from './use-log.ts';

const route = getRouteApi('/inside/projects/$projectId/deployments/$deploymentId');

export function DeploymentScreen() {
  const list = useWords(deploymentsWords);
  const words = useWords(deploymentWords);
  const client = useQueryClient();
  const { projectId, deploymentId } = route.useParams();
  const { line } = route.useSearch();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  // The first answer is waited for, so that an unknown one is the documented 404; later ones may fail and be tried again.
  useSuspenseQuery({ ...deploymentQuery(projectId, deploymentId), refetchInterval: false });
  const { data: deployment, error, refetch } = useQuery(deploymentQuery(projectId, deploymentId));
  // It may have gone live by itself, and the list and the project say so too.
  const log = useLog(`/projects/${projectId}/deployments/${deploymentId}/logs`, () => {
    client.invalidateQueries({ queryKey: deploymentsKey(projectId) });
    client.invalidateQueries({ queryKey: ['projects', projectId], exact: true });
  });
  useTitle(`${list.title} · ${project.name}`);
  if (!deployment) return null;
  return (
    <Box p="md" maw={1280} w="100%">
      <AnchorLink to="/projects/$projectId/deployments" params={{ projectId }} size="sm">
        <Group gap={4} component="span" display="inline-flex">
          <IconArrowLeft size={14} aria-hidden />
          {words.back}
        </Group>
      </AnchorLink>
      <Group justify="space-between" mt="xs" mb="md" gap="sm" align="flex-start">
        <Stack gap={4} style={{ minWidth: 0 }}>
          <Title order={2} style={{ overflowWrap: 'anywhere' }}>
            {deployment.commit.message?.split('\n', 1)[0] || list.untitled}
          </Title>
          <Group gap="sm" role="status">
            <StatusLabel status={deployment.status} />
            <Text size="sm">{list[deployment.environment]}</Text>
            {deployment.is_live && <LiveBadge />}
          </Group>
        </Stack>
        <Group gap="xs">
          <DeploymentActions project={project} deployment={deployment} />
        </Group>
      </Group>
      <Stack gap="md">
        <Refusal error={error} retry={refetch} />
        {deployment.error && <Failure error={deployment.error} />}
        <div className="deployment-grid">
          <section>
            <Title order={2} mb="sm">
              {words.progress}
            </Title>
            <StatusTimeline deployment={deployment} />
          </section>
          <LogPanel key={deployment.id} log={log} name={deployment.id} line={line} />
          <Details deployment={deployment} project={project} />
        </div>
      </Stack>
    </Box>
  );
}

function Details({ deployment, project }: { deployment: Deployment; project: ProjectDetail }) {
  const list = useWords(deploymentsWords);
  const words = useWords(deploymentWords);
  const { commit, build_command: command, environment_variables: names, url } = deployment;
  return (
    <section>
      <Title order={2} mb="sm">
        {words.details}
      </Title>
      <Stack gap="sm">
        {url && (
          <Fact name={words.address}>
            <CopyLine label={words.address} value={url} />
          </Fact>
        )}
        {deployment.is_live && project.live_url && (
          <Fact name={words.liveAddress}>
            <CopyLine label={words.liveAddress} value={project.live_url} />
          </Fact>
        )}
        <Fact name={list.branch}>
          {deployment.branch}
          {commit.sha && (
            <>
              {' · '}
              <AnchorLink
                to="/projects/$projectId/history/$sha"
                params={{ projectId: project.id, sha: commit.sha }}
                size="sm"
                ff="monospace"
              >
                {commit.sha.slice(0, 8)}
              </AnchorLink>
            </>
          )}
        </Fact>
        {commit.author && <Fact name={words.author}>{commit.author}</Fact>}
        <Fact name={words.trigger}>
          {deployment.trigger === 'redeploy' ? words.redeployTrigger : words[deployment.trigger]}
        </Fact>
        <Fact name={list.build}>
          {command ? (
            <Code block mah={180} tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflow: 'auto' }}>
              {command}
            </Code>
          ) : command === null ? (
            words.asProject
          ) : (
            words.noBuild
          )}
        </Fact>
        <Fact name={list.output}>{deployment.output_directory ?? words.detected}</Fact>
        <Fact name={words.variableNames}>
          {names.length === 0
            ? words.noVariables
            : names.map((name) => (
                <Code key={name} mr={4}>
                  {name}
                </Code>
              ))}
        </Fact>
        <Fact name={words.id}>
          <Code>{deployment.id}</Code>
        </Fact>
      </Stack>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Box fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Box>
    </div>
  );
}
