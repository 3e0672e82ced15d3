import type { Comparison } from '@bottega/contract';
import { Badge, Box, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Diff } from '../history/diff.tsx';
import { historyWords } from '../history/history.words.ts';
import { useWords } from '../words/words.tsx';
import { mergeWords } from './merge.words.ts';

/** The first ones open; whoever wants to see more asks for it, since a page of thousands of lines is slow. */
const opened = 10;
const atOnce = 100;

export function ChangedFiles({ files }: { files: Comparison['files'] }) {
  const words = useWords(mergeWords);
  const [shown, setShown] = useState(atOnce);
  return (
    <Stack gap="sm">
      {files.slice(0, shown).map((file, index) => (
        <ChangedFile key={file.path} file={file} isOpen={index < opened} />
      ))}
      {files.length > shown && (
        <Button variant="default" onClick={() => setShown((now) => now + atOnce)}>
          {words.more(Math.min(atOnce, files.length - shown))}
        </Button>
      )}
    </Stack>
  );
}

function ChangedFile({ file, isOpen }: { file: Comparison['files'][number]; isOpen: boolean }) {
  const words = { ...useWords(historyWords), show: useWords(mergeWords).show };
  const [open, setOpen] = useState(isOpen);
  return (
    <Box className="surface" component="section" aria-label={file.path}>
      <Group px="sm" py={6} gap="xs" style={{ borderBottom: '1px solid var(--surface-line)' }}>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {file.path}
        </Text>
        <Badge size="xs" variant="default">
          {words[file.status]}
        </Badge>
        {file.previous_path && (
          <Text size="xs" c="dimmed">
            {words.was(file.previous_path)}
          </Text>
        )}
        <Text size="xs" style={{ color: 'var(--added-text)' }}>
          +{file.additions}
        </Text>
        <Text size="xs" style={{ color: 'var(--removed-text)' }}>
          −{file.deletions}
        </Text>
        {!open && (
          <Button size="compact-xs" variant="default" ml="auto" onClick={() => setOpen(true)}>
            {words.show}
          </Button>
        )}
      </Group>
      {open && file.diff === null && (
        <Text size="sm" c="dimmed" p="sm">
          {words.noDiff}
        </Text>
      )}
      {open && file.diff !== null && <Diff diff={file.diff} label={words.diff(file.path)} />}
    </Box>
  );
}
