import { Box, Group, Title } from '@mantine/core';
import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AnchorLink } from './links.tsx';

type Props = { title: string; action?: LinkProps; actionWord?: string; children: ReactNode };

/** A card for one of several topics on a screen, with a link to more about the topic. */
export function Card({ title, action, actionWord, children }: Props) {
  return (
    <Box component="section" className="surface" aria-label={title}>
      <Group justify="space-between" px="sm" py={8} className="card-heading">
        <Title order={2} fz="sm">
          {title}
        </Title>
        {action && (
          <AnchorLink size="sm" aria-label={`${actionWord}: ${title}`} {...action}>
            {actionWord}
          </AnchorLink>
        )}
      </Group>
      <Box p="sm">{children}</Box>
    </Box>
  );
}
