import { Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Marks } from './marks.tsx';

type Props = {
  project: { id: string; name: string };
  /** False if the user may not open the project. */
  isLink?: boolean;
  marks?: Parameters<typeof Marks>[0]['marks'];
  /** A line below the name. */
  children?: ReactNode;
  /** How many lines it takes at most. With more than one, rows differ in height. */
  lines?: number;
};

/** A project in a list: its name, its badges, and a line below them. */
export function ProjectName({ project: { id, name }, isLink = true, marks = [], children, lines = 1 }: Props) {
  const text = (
    <Text fw={600} size="sm" {...(!isLink && { title: id })}>
      {name}
    </Text>
  );
  return (
    <Stack gap={0} miw={0}>
      <Group gap={6}>
        {isLink ? (
          <Link to="/projects/$projectId/overview" params={{ projectId: id }} className="plain">
            {text}
          </Link>
        ) : (
          text
        )}
        <Marks marks={marks} />
      </Group>
      {children && (
        <Text size="xs" c="dimmed" lineClamp={lines}>
          {children}
        </Text>
      )}
    </Stack>
  );
}
