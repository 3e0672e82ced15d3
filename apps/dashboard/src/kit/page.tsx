import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

type ContentProps = { width?: 'text' | 'page' | 'wide'; children: ReactNode };

const widths = { text: 768, page: 1128, wide: 1440 };

/** The one container: every screen begins at the same left edge, and has one of three widths. */
export function Content({ width = 'page', children }: ContentProps) {
  return (
    <Box className="content" maw={widths[width]}>
      {children}
    </Box>
  );
}

type Props = { title: string; back?: ReactNode; hint?: ReactNode; actions?: ReactNode } & ContentProps;

/**
 * The layout of every screen: one heading, which is also the tab's title, actions at the right, and the content below.
 * A link back to a list is above the heading.
 */
export function Page({ title, back, hint, actions, children, width = 'page' }: Props) {
  useTitle(title);
  return (
    <Content width={width}>
      {back && <Box mb="md">{back}</Box>}
      <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
        <Stack gap={2}>
          <Title order={1}>{title}</Title>
          {hint && (
            <Text size="sm" c="dimmed">
              {hint}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Content>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Bottega`;
  }, [title]);
}

/** Shown for an empty list: what the list is for, and what the user can do. */
export function Empty({ title, hint, children }: { title: string; hint: string; children?: ReactNode }) {
  return (
    <Stack className="surface" align="center" gap="xs" p="xl" ta="center">
      <Text fw={600} className="breaks-anywhere">
        {title}
      </Text>
      <Text size="sm" c="dimmed" maw={440}>
        {hint}
      </Text>
      {children && <Group mt="xs">{children}</Group>}
    </Stack>
  );
}

export function Section({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <Box component="section" mb="xl">
      <Title order={2} mb={hint ? 2 : 'sm'}>
        {title}
      </Title>
      {hint && (
        <Text size="sm" c="dimmed" mb="sm">
          {hint}
        </Text>
      )}
      {children}
    </Box>
  );
}
