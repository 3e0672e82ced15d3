import { Box, type RenderTreeNodePayload, Tree, useTree } from '@mantine/core';
import { IconChevronRight, IconFile, IconFolder } from '@tabler/icons-react';
import { type ReactNode, useEffect, useMemo } from 'react';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { directoriesAbove, type FileNode, fileTree, type TreeFile } from './file-tree.ts';

type Props<Shown> = {
  files: readonly Shown[];
  current: string | undefined;
  open: (path: string) => void;
  /** What can be done with a file, at the end of its row. */
  menu?: ((file: Shown) => ReactNode) | undefined;
};

export function FileTree<Shown extends TreeFile>({ files, current, open, menu }: Props<Shown>) {
  const words = useWords(editorWords);
  const data = useMemo(() => fileTree(files), [files]);
  const tree = useTree();
  const { expand } = tree;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the way to the shown file is opened once, not held open
  useEffect(() => {
    for (const directory of directoriesAbove(current ?? '')) expand(directory);
  }, [current]);
  return (
    <Box
      p={6}
      onKeyDown={(event) => {
        const row = (event.target as HTMLElement).querySelector<HTMLElement>(':scope > .tree-row');
        if (event.key === 'Enter' && row) row.click();
      }}
    >
      <Tree
        data={data}
        tree={tree}
        renderNode={(payload) => <TreeRow {...{ payload, current, open, menu }} />}
        levelOffset={14}
        aria-label={words.tree}
        allowRangeSelection={false}
      />
    </Box>
  );
}

type RowProps<Shown> = Omit<Props<Shown>, 'files'> & { payload: RenderTreeNodePayload };

function TreeRow<Shown extends TreeFile>({
  payload: { node, expanded, elementProps },
  current,
  open,
  menu,
}: RowProps<Shown>) {
  const { file } = node as FileNode<Shown>;
  const isDirectory = file.type === 'directory';
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the item of the tree around it has the role and the keys
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on that item comes here
    <div
      {...elementProps}
      className={`${elementProps.className} tree-row`}
      data-open={file.path === current || undefined}
      onClick={(event) => {
        elementProps.onClick(event);
        if (!isDirectory) open(file.path);
      }}
    >
      <IconChevronRight
        size={12}
        aria-hidden
        style={{ visibility: isDirectory ? 'visible' : 'hidden', rotate: expanded ? '90deg' : '0deg', flexShrink: 0 }}
      />
      {isDirectory ? <IconFolder size={15} stroke={1.6} /> : <IconFile size={15} stroke={1.6} />}
      <span style={{ flex: 1, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>{file.name}</span>
      {menu?.(file)}
    </div>
  );
}
