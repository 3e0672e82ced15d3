import type { DeploymentStatus } from '@bottega/contract';
import { Badge, Group, Text } from '@mantine/core';
import {
  IconBan,
  IconCircleCheckFilled,
  IconCircleDotted,
  IconCircleXFilled,
  IconProgress,
  type TablerIcon,
} from '@tabler/icons-react';
import { useWords } from '../words/words.tsx';
import { deploymentsWords } from './deployments.words.ts';

const looks: Record<DeploymentStatus, [icon: TablerIcon, colour: string]> = {
  pending: [IconCircleDotted, 'var(--mantine-color-dimmed)'],
  building: [IconProgress, 'var(--mantine-color-anchor)'],
  success: [IconCircleCheckFilled, 'var(--added-text)'],
  failed: [IconCircleXFilled, 'var(--mantine-color-error)'],
  canceled: [IconBan, 'var(--mantine-color-dimmed)'],
};

export function StatusIcon({ status, size = 16 }: { status: DeploymentStatus; size?: number }) {
  const [Icon, colour] = looks[status];
  return (
    <Icon
      size={size}
      aria-hidden
      style={{ color: colour, flex: 'none' }}
      {...(status === 'building' && { className: 'turning' })}
    />
  );
}

/** In a shape and a word, never by colour alone. */
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
    <Badge size="sm" bg="var(--added)" c="var(--added-text)">
      {words.live}
    </Badge>
  );
}
