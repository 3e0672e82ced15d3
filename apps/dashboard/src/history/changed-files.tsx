import { Group, Stack, TextInput } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { DiffViewSwitch } from '../diff/diff-view.tsx';
import { useWords } from '../words/words.tsx';
import { ChangedFile, type FileChange, type ReadDiff } from './changed-file.tsx';
import { historyWords } from './history.words.ts';

/** Number of files that the page shows at first, and adds each time the user comes near the end. */
const step = 40;
/** Maximum number of lines in the diffs that are open at first. */
const maxOpenLines = 800;

type Props = {
  files: FileChange[];
  /** Set if some diffs are not included. A diff that the user opens is then read separately. */
  read?: ReadDiff;
  actions?: (file: FileChange) => ReactNode;
};

/**
 * A commit or a branch may change thousands of files. The page contains only files that the user has scrolled to, and
 * long diffs only if the user opens them.
 */
export function ChangedFiles({ files, read, actions }: Props) {
  const words = useWords(historyWords);
  const [sought, setSought] = useState('');
  const [count, setCount] = useState(step);
  const { ref, entry } = useIntersection({ rootMargin: '600px' });
  const matching = files.filter(({ path }) => path.toLowerCase().includes(sought.toLowerCase()));
  useEffect(() => {
    if (entry?.isIntersecting) setCount((former) => former + step);
  }, [entry]);
  const open = openAtFirst(files);
  return (
    <Stack>
      <Group justify="space-between">
        {files.length > step && (
          <TextInput
            flex={1}
            aria-label={words.findFile}
            placeholder={words.findFile}
            leftSection={<IconSearch size={16} />}
            value={sought}
            onChange={(event) => setSought(event.currentTarget.value)}
          />
        )}
        <DiffViewSwitch />
      </Group>
      {matching.slice(0, count).map((file) => (
        <ListedFile key={file.path} file={file} isOpenAtFirst={open.has(file)} read={read} actions={actions?.(file)} />
      ))}
      {/* A new element each time, so that an element that is near from the start is noticed too. */}
      {count < matching.length && <div key={count} ref={ref} />}
    </Stack>
  );
}

type ListedProps = Omit<ComponentProps<typeof ChangedFile>, 'isOpen' | 'setOpen'> & { isOpenAtFirst: boolean };

function ListedFile({ isOpenAtFirst, ...file }: ListedProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return <ChangedFile {...file} isOpen={isOpen} setOpen={setOpen} />;
}

function openAtFirst(files: FileChange[]): ReadonlySet<FileChange> {
  const open = new Set<FileChange>();
  let lines = 0;
  for (const file of files) {
    if (file.diff === null) continue;
    lines += file.diff.split('\n').length;
    if (lines > maxOpenLines) break;
    open.add(file);
  }
  // A commit with a single long diff shows it open.
  return open.size === 0 ? new Set(files.slice(0, 1)) : open;
}
