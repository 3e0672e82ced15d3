import './live-card.css';
import type { File, ProjectDetail } from '@bottega/contract';
import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRights } from '../api/rights.ts';
import { deploymentsQuery } from '../deployments/deployments-query.ts';
import { Card } from '../kit/card.tsx';
import { ButtonLink } from '../kit/links.tsx';
import { OutsideAddress } from '../kit/outside-address.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { Environments } from './environments.tsx';
import { LatestDeployments } from './latest-deployments.tsx';
import { LiveFrame } from './live-frame.tsx';
import { overviewWords } from './overview.words.ts';

type Props = {
  project: ProjectDetail;
  /** Undefined until they are known. */
  topFiles: readonly File[] | undefined;
};

/** Shows where the project is online and, to members, a picture of it, its environments and the last deployments. */
export function LiveCard({ project, topFiles }: Props) {
  const words = useWords(overviewWords);
  const rights = useRights(project);
  const projectId = project.id;
  const deployments = useQuery({ ...deploymentsQuery(projectId, {}), enabled: rights.isMember });
  const latest = deployments.data?.data ?? [];
  // Only static sites have a picture, because otherwise every visit to this screen would wake an app.
  const isSite = latest.some(({ is_live, app }) => is_live && app === null) && topFiles && !isDrawnByScript(topFiles);
  return (
    <Card
      title={words.online}
      {...(latest.length > 0 && { action: { to: '/projects/$projectId/deployments', params: { projectId } } })}
      actionWord={words.all}
    >
      <Stack gap="sm">
        {project.live_url && isSite && <LiveFrame url={project.live_url} title={words.picture} open={words.openSite} />}
        {project.live_url ? (
          <OutsideAddress label={words.liveAddress} url={project.live_url} />
        ) : (
          <Text size="sm" c="dimmed">
            {words.notOnline}
          </Text>
        )}
        {rights.isMember && <Environments projectId={projectId} liveUrl={project.live_url} />}
        <Refusal error={deployments.error} retry={deployments.refetch} />
        <LatestDeployments deployments={latest} />
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

/**
 * Whether a site is drawn by a script. The page of a bundler, beside its package.json, is empty until a script draws
 * it, and the picture runs no scripts.
 */
const isDrawnByScript = (topFiles: readonly File[]): boolean =>
  ['/index.html', '/package.json'].every((path) => topFiles.some((file) => file.path === path));
