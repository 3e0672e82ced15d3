import { Box, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { kitWords } from './kit.words.ts';

const widths = [90, 73, 56, 84, 67, 95];

/** A skeleton while something loads. If this takes too long, it is replaced with a message that something is wrong. */
export function Loading({ lines = 6 }: { lines?: number }) {
  const words = useWords(kitWords);
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 8000);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Box role="status" aria-label={words.loading} p="md">
      <Stack gap="xs">
        {widths.slice(0, lines).map((width) => (
          <Skeleton key={width} height={14} width={`${width}%`} />
        ))}
      </Stack>
      {isSlow && (
        <Text mt="md" size="sm" c="dimmed">
          {words.slow}
        </Text>
      )}
    </Box>
  );
}
