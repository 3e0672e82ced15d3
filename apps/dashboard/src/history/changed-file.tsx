import type { CommitDetail } from '@bottega/contract';
import { Badge, Box, Group, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Diff } from '../diff/diff.tsx';
import { useDiffView } from '../diff/diff-view.tsx';
import type { LineNotes } from '../diff/line-notes.ts';
import { Loading } from '../kit/loading.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { historyWords } from './history.words.ts';

export type FileChange = CommitDetail['files'][number];

/** How to read a diff that the list does not include: its query key, and the request. */
export type ReadDiff = (path: string) => {
  queryKey: readonly unknown[];
  queryFn: (context: { signal: AbortSignal }) => Promise<FileChange | null>;
};

type Props = {
  file: FileChange;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
  read?: ReadDiff | undefined;
  actions?: ReactNode;
  /** Shown between the name and the diff. */
  above?: ReactNode;
  /** What is said about its lines. */
  notes?: LineNotes | undefined;
};

/** Shows one changed file: always its name, and its diff while it is open. */
export function ChangedFile({ file: listed, isOpen, setOpen, read, actions, above, notes }: Props) {
  const words = useWords(historyWords);
  const later = useQuery({
    ...(read?.(listed.path) ?? { queryKey: ['no diff'], queryFn: () => null }),
    enabled: read !== undefined && isOpen && listed.diff === null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const file = later.data ?? listed;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Box className="surface" component="section" aria-label={file.path}>
      <Group px="sm" py={6} gap="xs" className={isOpen ? 'changed-file-heading card-heading' : 'changed-file-heading'}>
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
        {file.diff !== null && <Counts file={file} />}
        <Group ml="auto" gap="xs">
          {actions}
        </Group>
      </Group>
      {isOpen && above}
      {isOpen && later.isLoading && <Loading lines={3} />}
      {isOpen && <Refusal error={later.error} retry={later.refetch} />}
      {isOpen && !later.isLoading && !later.error && <Content file={file} notes={notes} />}
    </Box>
  );
}

function Counts({ file: { additions, deletions } }: { file: FileChange }) {
  return (
    <>
      <Text size="xs" style={{ color: 'var(--added-text)' }}>
        +{additions}
      </Text>
      <Text size="xs" style={{ color: 'var(--removed-text)' }}>
        −{deletions}
      </Text>
    </>
  );
}

function Content({ file, notes }: { file: FileChange; notes: LineNotes | undefined }) {
  const words = useWords(historyWords);
  const { view } = useDiffView();
  if (file.diff) {
    return <Diff diff={file.diff} path={file.path} label={words.diff(file.path)} view={view} notes={notes} />;
  }
  return (
    <Text size="sm" c="dimmed" p="sm">
      {file.diff === '' ? words.sameContent : words.noDiff}
    </Text>
  );
}
