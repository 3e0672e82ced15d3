import type { DeploymentStatus } from '@bottega/contract';
import { Badge, Group, Text } from '@mantine/core';
import { StatusIcon } from '../kit/status-icon.tsx';
import { useWords } from '../words/words.tsx';
import { deploymentsWords } from './deployments.words.ts';

/** Shows a shape and a word, never colour alone. */
export function StatusLabel({ status }: { status: DeploymentStatus }) {
  const words = useWords(deploymentsWords);
  return (
    <Group gap={6} wrap="nowrap">
      <StatusIcon status={status} />
      <Text size="sm" fw={600} style={{ whiteSpace: 'nowrap' }}>
        {words[status]}
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
