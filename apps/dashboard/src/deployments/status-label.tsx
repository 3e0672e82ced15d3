import type { Deployment } from '@bottega/contract';
import { Badge, Group, Text } from '@mantine/core';
import { StatusIcon } from '../kit/status-icon.tsx';
import { useWords } from '../words/words.tsx';
import { deploymentsWords } from './deployments.words.ts';
import { isNotRunning } from './deployments-query.ts';

/** Shows a shape and a word, never colour alone. A deployment whose app is down is not ready. */
export function StatusLabel({ deployment }: { deployment: Pick<Deployment, 'status' | 'app'> }) {
  const words = useWords(deploymentsWords);
  const { status } = deployment;
  const isDown = isNotRunning(deployment);
  return (
    <Group gap={6} wrap="nowrap">
      <StatusIcon status={isDown ? 'failed' : status} />
      <Text size="sm" fw={600} style={{ whiteSpace: 'nowrap' }}>
        {isDown ? words.notRunning : words[status]}
      </Text>
    </Group>
  );
}

export function LiveBadge() {
  const words = useWords(deploymentsWords);
  return (
    <Badge size="sm" bg="var(--added)" c="var(--added-text)" flex="none">
      {words.live}
    </Badge>
  );
}
