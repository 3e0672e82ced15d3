import { Badge, Box, Group, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconCheck, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { FileChange } from '../history/changed-file.tsx';
import { Near } from '../kit/near.tsx';
import { useWords } from '../words/words.tsx';
import { changesWords } from './changes.words.ts';

/** Rows that enter and leave the page together, and the height of each in pixels. */
const [rowsOfBlock, rowHeight] = [40, 28];

type Props = {
  files: readonly FileChange[];
  viewed: ReadonlySet<string>;
  /** Number of open threads, by path. */
  threads: ReadonlyMap<string, number>;
  current: string | null;
  go: (path: string) => void;
};

/** All changed files, to find one and to see what is left. */
export function FileList({ files, viewed, threads, current, go }: Props) {
  const words = useWords(changesWords);
  const [sought, setSought] = useState('');
  const matching = files.filter(({ path }) => path.toLowerCase().includes(sought.toLowerCase()));
  const blocks: FileChange[][] = [];
  for (let from = 0; from < matching.length; from += rowsOfBlock) blocks.push(matching.slice(from, from + rowsOfBlock));
  return (
    <Box component="nav" aria-label={words.fileList}>
      {files.length > 10 && (
        <TextInput
          size="xs"
          mb="xs"
          aria-label={words.findFile}
          placeholder={words.findFile}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
        />
      )}
      {blocks.map((block, index) => (
        <Near key={block[0]?.path} estimate={block.length * rowHeight} startsNear={index === 0}>
          {() =>
            block.map(({ path, status, additions, deletions }) => (
              <UnstyledButton
                key={path}
                className="changed-file-row"
                aria-current={path === current || undefined}
                onClick={() => go(path)}
              >
                {viewed.has(path) && <IconCheck size={14} role="img" aria-label={words.viewed} />}
                <span className="cut-start" title={path} data-gone={status === 'deleted' || undefined}>
                  <bdi>{path.slice(1)}</bdi>
                </span>
                {(threads.get(path) ?? 0) > 0 && (
                  <Badge size="xs" variant="default" title={words.threads(threads.get(path) ?? 0)}>
                    {threads.get(path)}
                  </Badge>
                )}
                {additions + deletions > 0 && <Counts additions={additions} deletions={deletions} />}
              </UnstyledButton>
            ))
          }
        </Near>
      ))}
    </Box>
  );
}

function Counts({ additions, deletions }: { additions: number; deletions: number }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="xs" span style={{ color: 'var(--added-text)' }}>
        +{additions}
      </Text>
      <Text size="xs" span style={{ color: 'var(--removed-text)' }}>
        −{deletions}
      </Text>
    </Group>
  );
}
