import type { Deployment } from '@bottega/contract';
import { Anchor, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { deploymentsWords } from '../deployments/deployments.words.ts';
import { environmentsQuery } from '../deployments/deployments-query.ts';
import { environmentName } from '../kit/environments.ts';
import { StatusIcon } from '../kit/status-icon.tsx';
import { useWords } from '../words/words.tsx';

const maxShown = 8;

type Props = { projectId: string; liveUrl: string | null };

/** Every environment with the state of its latest deployment, and a link to what is there. */
export function Environments({ projectId, liveUrl }: Props) {
  const words = useWords(deploymentsWords);
  const { data = [] } = useQuery(environmentsQuery(projectId));
  const deployed = data.flatMap(({ latest_deployment: latest }) => latest ?? []);
  if (deployed.length === 0) return null;
  return (
    <Group gap={6} role="group" aria-label={words.environments}>
      {deployed.slice(0, maxShown).map((latest) => (
        <Environment key={latest.environment} latest={latest} liveUrl={liveUrl} />
      ))}
    </Group>
  );
}

function Environment({ latest, liveUrl }: { latest: Deployment; liveUrl: string | null }) {
  const words = useWords(deploymentsWords);
  const { id, project_id: projectId, environment, status, is_live, branch_url, url } = latest;
  const address = (is_live && liveUrl) || branch_url || url;
  const content = (
    <>
      <StatusIcon status={status} size={14} />
      {environmentName(words, environment)}
    </>
  );
  const label = `${environmentName(words, environment)}: ${words[status]}`;
  if (!address)
    return (
      <Link
        to="/projects/$projectId/deployments/$deploymentId"
        params={{ projectId, deploymentId: id }}
        className="environment-chip"
        aria-label={label}
      >
        {content}
      </Link>
    );
  return (
    <Anchor
      href={address}
      target="_blank"
      rel="noreferrer"
      className="environment-chip"
      aria-label={label}
      underline="never"
    >
      {content}
    </Anchor>
  );
}
