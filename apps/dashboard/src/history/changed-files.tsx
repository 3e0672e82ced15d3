import { Stack, TextInput } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { ChangedFile, type FileChange, type ReadDiff } from './changed-file.tsx';
import { historyWords } from './history.words.ts';

/** So many are in the page at first, and so many more each time that its end comes near. */
const step = 40;
/** The diffs of the first files are open, up to so many lines in all. */
const mostOpenLines = 800;

type Props = {
  files: FileChange[];
  /** Where not every diff came with its file: those that somebody opens are read one by one. */
  read?: ReadDiff;
  actions?: (file: FileChange) => ReactNode;
};

/**
 * A commit or a branch may change thousands of files. Only those that somebody has scrolled to are elements of the page, and of long
 * diffs only those that somebody opens.
 */
export function ChangedFiles({ files, read, actions }: Props) {
  const words = useWords(historyWords);
  const [sought, setSought] = useState('');
  const [count, setCount] = useState(step);
  const { ref, entry } = useIntersection({ rootMargin: '600px' });
  const found = files.filter(({ path }) => path.toLowerCase().includes(sought.toLowerCase()));
  useEffect(() => {
    if (entry?.isIntersecting) setCount((former) => former + step);
  }, [entry]);
  const open = openAtFirst(files);
  return (
    <Stack>
      {files.length > step && (
        <TextInput
          aria-label={words.findFile}
          placeholder={words.findFile}
          leftSection={<IconSearch size={16} />}
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
        />
      )}
      {found.slice(0, count).map((file) => (
        <ChangedFile key={file.path} file={file} isOpenAtFirst={open.has(file)} read={read} actions={actions?.(file)} />
      ))}
      {/* Another element each time, so that one which is near from the beginning is noticed too. */}
      {count < found.length && <div key={count} ref={ref} />}
    </Stack>
  );
}

function openAtFirst(files: FileChange[]): ReadonlySet<FileChange> {
  const open = new Set<FileChange>();
  let lines = 0;
  for (const file of files) {
    if (file.diff === null) continue;
    lines += file.diff.split('\n').length;
    if (lines > mostOpenLines) break;
    open.add(file);
  }
  // A commit that is one long diff is about that.
  return open.size === 0 ? new Set(files.slice(0, 1)) : open;
}
