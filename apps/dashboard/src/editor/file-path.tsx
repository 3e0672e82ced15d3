import type { File } from '@bottega/contract';
import { Box, Menu, UnstyledButton } from '@mantine/core';
import { IconFolderSearch } from '@tabler/icons-react';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { FileIcon, FolderIcon } from './file-icon.tsx';
import { directoriesAbove, foldersIn, parentOf } from './file-tree.ts';
import type { Side } from './side.tsx';

type Props = { path: string; files: readonly File[]; side: Side; open: (path: string) => void };

/**
 * Shows the path of the open file, because its tab has room only for the name. Each part of the path has a menu of its
 * siblings. The component is memoized, so that typing in the editor does not render it again.
 */
export const FilePath = memo(function FilePath({ path, ...around }: Props) {
  const words = useWords(editorWords);
  return (
    <nav aria-label={words.whereItLies}>
      <ol className="file-path">
        {[...directoriesAbove(path), path].map((part) => (
          <li key={part} aria-current={part === path ? 'page' : undefined}>
            <PartMenu key={path} {...{ part, path, ...around }} />
          </li>
        ))}
      </ol>
    </nav>
  );
});

/** The entries of a folder. A folder among them shows its own entries instead, so a menu leads to every file below. */
function PartMenu({ part, path, files, side, open }: Props & { part: string }) {
  const words = useWords(editorWords);
  const [folder, setFolder] = useState(parentOf(part));
  // The focus returns to the path, unless it goes to the tree.
  const [isSeeking, setSeeking] = useState(false);
  const seek = () => {
    setSeeking(true);
    side.seek(folder === parentOf(part) ? part : folder);
  };
  const name = part.slice(part.lastIndexOf('/') + 1);
  return (
    <Menu
      position="bottom-start"
      shadow="md"
      width={260}
      // A menu must contain nothing focusable except its items.
      withInitialFocusPlaceholder={false}
      returnFocus={!isSeeking}
      onOpen={() => setSeeking(false)}
      onClose={() => setFolder(parentOf(part))}
    >
      <Menu.Target>
        <UnstyledButton aria-label={words.beside(name)}>{name}</UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconFolderSearch size={15} aria-hidden />} onClick={seek}>
          {words.showInTree}
        </Menu.Item>
        <Entries {...{ folder, path, files, open }} enter={setFolder} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** More entries are found with Ctrl+P. */
const maxShown = 200;

type EntriesProps = Omit<Props, 'side'> & { folder: string; enter: (folder: string) => void };

/** The entries of the menu, which are sorted only while it is open. */
function Entries({ folder, path, files, open, enter }: EntriesProps) {
  const entries = useMemo(() => {
    const all = files.filter((file) => parentOf(file.path) === folder);
    return foldersIn(all).get(folder)?.slice(0, maxShown) ?? [];
  }, [files, folder]);
  const box = useRef<HTMLDivElement>(null);
  const entered = useRef(folder);
  useEffect(() => {
    // The item that had the focus is no longer in the menu.
    if (entered.current !== folder) box.current?.querySelector('button')?.focus();
    entered.current = folder;
  }, [folder]);
  return (
    <Box ref={box} mah={320} style={{ overflowY: 'auto' }}>
      {entries.map((file) => {
        const isFolder = file.type === 'directory';
        const isShown = path === file.path || path.startsWith(`${file.path}/`);
        return (
          <Menu.Item
            key={file.id}
            leftSection={isFolder ? <FolderIcon isOpen={false} /> : <FileIcon name={file.name} />}
            closeMenuOnClick={!isFolder}
            {...(isShown && { 'aria-current': true, fw: 600 })}
            onClick={() => (isFolder ? enter(file.path) : open(file.path))}
          >
            {file.name}
          </Menu.Item>
        );
      })}
    </Box>
  );
}
