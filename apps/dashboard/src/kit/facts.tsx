import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shows each value below its name. Leaves out null, false and undefined. */
export function Facts({ values }: { values: Record<string, ReactNode> }) {
  return Object.entries(values).map(
    ([name, value]) =>
      value !== null &&
      value !== undefined &&
      value !== false && (
        <div key={name}>
          <Text size="xs" c="dimmed">
            {name}
          </Text>
          <Box fz="sm" style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Box>
        </div>
      ),
  );
}
