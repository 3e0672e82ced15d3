import type { Deployment } from '@bottega/contract';
import { Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { deploymentsWords } from '../deployments/deployments.words.ts';
import { environmentName } from '../kit/environments.ts';
import { StatusIcon } from '../kit/status-icon.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';

const maxShown = 3;

/** The newest deployments: each result, what was deployed, where and when. */
export function LatestDeployments({ deployments }: { deployments: readonly Deployment[] }) {
  const words = useWords(deploymentsWords);
  if (deployments.length === 0) return null;
  return (
    <Stack gap={8}>
      {deployments.slice(0, maxShown).map(({ id, project_id: projectId, status, commit, environment, created_at }) => (
        <Group key={id} gap={8} wrap="nowrap" align="flex-start">
          <span className="status-of-row">
            <StatusIcon status={status} size={16} />
          </span>
          <Stack gap={0} miw={0}>
            <Link
              to="/projects/$projectId/deployments/$deploymentId"
              params={{ projectId, deploymentId: id }}
              className="plain"
            >
              <Text size="sm" truncate>
                {commit.message?.split('\n', 1)[0] || words.untitled}
              </Text>
            </Link>
            <Text size="xs" c="dimmed">
              {words[status]} · {environmentName(words, environment)}, <Ago at={created_at} />
            </Text>
          </Stack>
        </Group>
      ))}
    </Stack>
  );
}
