import { Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { NotFoundScreen } from './error-screen.tsx';
import { Loading } from './loading.tsx';
import { type Answer, isNotFound, Refusal } from './refusal.tsx';

type Props<Item> = {
  /** The link to the list that contains the item. */
  back: ReactNode;
  answer: Answer<Item>;
  children: (item: Item) => ReactNode;
};

/**
 * The screen of one item. An unknown item is shown as a missing page. A loaded item stays visible even if later reads
 * fail.
 */
export function DetailPage<Item>({ back, answer, children }: Props<Item>) {
  if (isNotFound(answer.error)) return <NotFoundScreen />;
  return (
    <Stack gap="md">
      <div>{back}</div>
      <Refusal error={answer.error} retry={answer.refetch} />
      {answer.isPending && <Loading />}
      {answer.data !== undefined && children(answer.data)}
    </Stack>
  );
}

type HeadingProps = { title: string; status?: ReactNode; actions?: ReactNode };

/** Title, status and actions. */
export function DetailHeading({ title, status, actions }: HeadingProps) {
  return (
    <Group justify="space-between" gap="sm" align="flex-start">
      <Stack gap={4} style={{ minWidth: 0 }}>
        <Title order={2} fz="xl" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        <Group gap="sm" role="status">
          {status}
        </Group>
      </Stack>
      <Group gap="xs">{actions}</Group>
    </Group>
  );
}
