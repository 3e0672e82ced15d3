import type { CommitDetail } from '@bottega/contract';
import { Badge, Box, Group, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { Diff } from './diff.tsx';
import { historyWords } from './history.words.ts';

export type FileChange = CommitDetail['files'][number];

type Props = { file: FileChange; isOpenAtFirst: boolean; actions?: ReactNode };

/** One file that was changed: its name always, its diff while it is open. */
export function ChangedFile({ file, isOpenAtFirst, actions }: Props) {
  const words = useWords(historyWords);
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Box className="surface" component="section" aria-label={file.path}>
      <Group px="sm" py={6} gap="xs" {...(isOpen && { className: 'card-heading' })}>
        <UnstyledButton onClick={() => setOpen(!isOpen)} aria-expanded={isOpen} className="file-heading">
          <Chevron size={14} aria-hidden />
          <Text size="sm" fw={600} component="span" className="breaks-anywhere">
            {file.path}
          </Text>
        </UnstyledButton>
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
        <Group ml="auto" gap="xs">
          {actions}
        </Group>
      </Group>
      {isOpen && <Content file={file} />}
    </Box>
  );
}

function Content({ file }: { file: FileChange }) {
  const words = useWords(historyWords);
  if (file.diff !== null) return <Diff diff={file.diff} label={words.diff(file.path)} />;
  return (
    <Text size="sm" c="dimmed" p="sm">
      {words.noDiff}
    </Text>
  );
}
