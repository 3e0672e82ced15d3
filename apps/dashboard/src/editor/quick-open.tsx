import type { File } from '@bottega/contract';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { FileIcon } from './file-icon.tsx';

const [store, quickOpen] = createSpotlight();

export { quickOpen };

/** Ctrl+P: finds a file by some letters of its path, in the order in which they occur there. */
export function QuickOpen({ files, open }: { files: readonly File[]; open: (path: string) => void }) {
  const words = useWords(editorWords);
  const [typed, setTyped] = useState('');
  const matchingFiles = useMemo(() => matching(files, typed), [files, typed]);
  return (
    <Spotlight
      store={store}
      shortcut={null}
      query={typed}
      onQueryChange={setTyped}
      filter={(_query, actions) => actions}
      actions={matchingFiles.map(({ id, name, path }) => ({
        id,
        label: name,
        description: path,
        leftSection: <FileIcon name={name} size={17} />,
        onClick: () => open(path),
      }))}
      nothingFound={words.noMatch}
      attributes={{ content: { 'aria-label': words.quickOpen } }}
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: words.quickOpen,
        'aria-label': words.quickOpen,
      }}
    />
  );
}

function matching(files: readonly File[], typed: string): File[] {
  const letters = typed.toLowerCase().replace(/\s/g, '');
  return files
    .filter(({ type, path }) => type === 'file' && hasInOrder(path.toLowerCase(), letters))
    .toSorted((a, b) => a.path.length - b.path.length)
    .slice(0, 30);
}

function hasInOrder(text: string, letters: string): boolean {
  let at = -1;
  return [...letters].every((letter) => {
    at = text.indexOf(letter, at + 1);
    return at !== -1;
  });
}
