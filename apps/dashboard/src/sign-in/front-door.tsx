import { Box, Group, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTitle } from '../kit/page.tsx';

/** The frame of every screen before the sign-in. */
export function FrontDoor({ title, hint, children, above, below }: Props) {
  useTitle(title);
  return (
    <Box component="main" maw={400} mx="auto" px="sm" pt={{ base: 32, sm: 96 }} pb="xl">
      <Group gap={10} mb="lg" justify="center">
        <img src="/favicon.svg" width={30} height={30} alt="" />
        <Text fw={650} size="lg">
          Bottega
        </Text>
      </Group>
      {above}
      <Paper withBorder p="lg">
        <Title order={1} mb={hint ? 4 : 'md'}>
          {title}
        </Title>
        {hint && (
          <Text size="sm" c="dimmed" mb="md">
            {hint}
          </Text>
        )}
        {children}
      </Paper>
      {below && (
        <Text size="sm" ta="center" mt="md">
          {below}
        </Text>
      )}
    </Box>
  );
}

type Props = { title: string; hint?: string; children: ReactNode; above?: ReactNode; below?: ReactNode };
