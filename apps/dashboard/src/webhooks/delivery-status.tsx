import type { Delivery } from '@bottega/contract';
import { Group, Text } from '@mantine/core';
import { StatusIcon } from '../kit/status-icon.tsx';
import { useWords } from '../words/words.tsx';
import { deliveriesWords } from './deliveries.words.ts';

export function DeliveryStatus({ status }: Pick<Delivery, 'status'>) {
  const words = useWords(deliveriesWords);
  return (
    <Group gap={6} wrap="nowrap">
      <StatusIcon status={status === 'pending' ? 'building' : status} />
      <Text size="sm" fw={600} style={{ whiteSpace: 'nowrap' }}>
        {words[status]}
      </Text>
    </Group>
  );
}
