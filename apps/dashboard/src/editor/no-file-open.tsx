import { Stack, Text } from '@mantine/core';

/** Shown in the middle of the desk while no file is open. */
export function NoFileOpen({ title, hint }: { title: string; hint: string }) {
  return (
    <Stack align="center" justify="center" gap={4} style={{ flex: 1 }} p="lg" ta="center">
      <Text fw={600}>{title}</Text>
      <Text size="sm" c="dimmed" maw={420}>
        {hint}
      </Text>
    </Stack>
  );
}
