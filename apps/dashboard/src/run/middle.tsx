import './run.css';
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Content in the middle of a pane that has nothing else to show. */
export function Middle({ children }: { children: ReactNode }) {
  return (
    <Stack className="run-middle" align="center" gap="xs" p="md" ta="center">
      {children}
    </Stack>
  );
}

export function Said({ title, hint }: { title: string; hint: string }) {
  return (
    <>
      <Text fw={600}>{title}</Text>
      <Text size="sm" c="dimmed" maw={460}>
        {hint}
      </Text>
    </>
  );
}

export const Nothing = (said: Parameters<typeof Said>[0]) => (
  <Middle>
    <Said {...said} />
  </Middle>
);
