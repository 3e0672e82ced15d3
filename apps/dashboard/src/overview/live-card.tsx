import type { ProjectDetail } from '@bottega/contract';
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRights } from '../api/rights.ts';
import { deploymentsQuery } from '../deployments/deployments-query.ts';
import { StatusLabel } from '../deployments/status-label.tsx';
import { Card } from '../kit/card.tsx';
import { ButtonLink } from '../kit/links.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { overviewWords } from './overview.words.ts';

/** Shows where the project is online and, to members, the result of the last deployment. */
export function LiveCard({ project }: { project: ProjectDetail }) {
  const words = useWords(overviewWords);
  const rights = useRights(project);
  const projectId = project.id;
  const deployments = useQuery({ ...deploymentsQuery(projectId, {}), enabled: rights.isMember });
  const last = deployments.data?.data[0];
  return (
    <Card
      title={words.online}
      {...(rights.isMember && { action: { to: '/projects/$projectId/deployments', params: { projectId } } })}
      actionWord={words.all}
    >
      <Stack gap="xs">
        {project.live_url ? (
          <Anchor href={project.live_url} target="_blank" rel="noreferrer" size="sm" className="breaks-anywhere">
            {project.live_url.replace(/^https?:\/\//, '')}
          </Anchor>
        ) : (
          <Text size="sm" c="dimmed">
            {words.notOnline}
          </Text>
        )}
        <Refusal error={deployments.error} retry={deployments.refetch} />
        {last && (
          <Group justify="space-between" wrap="nowrap">
            <Link
              to="/projects/$projectId/deployments/$deploymentId"
              params={{ projectId, deploymentId: last.id }}
              className="plain"
            >
              <StatusLabel status={last.status} />
            </Link>
            <Text size="xs" c="dimmed">
              <Ago at={last.created_at} />
            </Text>
          </Group>
        )}
        {rights.write && (
          <Group gap="xs" grow>
            <ButtonLink to="/projects/$projectId/files" params={{ projectId }} search={{ run: true }} size="xs">
              {words.run}
            </ButtonLink>
            <ButtonLink
              to="/projects/$projectId/deployments"
              params={{ projectId }}
              search={{ deploy: true }}
              size="xs"
              variant="default"
            >
              {words.deploy}
            </ButtonLink>
          </Group>
        )}
      </Stack>
    </Card>
  );
}
