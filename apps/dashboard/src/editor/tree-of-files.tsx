import { Box, type RenderTreeNodePayload, Tree, type TreeNodeData, useTree } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { FileIcon, FolderIcon } from './file-icon.tsx';
import { directoriesAbove, droppedPath, type FileNode, fileTree, type TreeFile } from './file-tree.ts';

type Props<Shown> = {
  files: readonly Shown[];
  current: string | undefined;
  open: (path: string) => void;
  /** The actions for a file, at the end of its row. */
  menu?: ((file: Shown) => ReactNode) | undefined;
  /** Enables dragging files and folders. */
  move?: ((file: Shown, path: string) => void) | undefined;
};

export function FileTree<Shown extends TreeFile>({ files, current, open, menu, move }: Props<Shown>) {
  const words = useWords(editorWords);
  const data = useMemo(() => fileTree(files), [files]);
  const box = useRef<HTMLDivElement>(null);
  const tree = useRevealed(current, data, box);
  const fileAt = (path: string) => files.find((file) => file.path === path);
  const dropped = ({ draggedNode, targetNode }: { draggedNode: string; targetNode: string }) => {
    const [file, target] = [fileAt(draggedNode), fileAt(targetNode)];
    const path = file && target && droppedPath(file, target);
    return path ? { file, path } : null;
  };
  const dragging = move && {
    allowDrop: (drag: Parameters<typeof dropped>[0]) => dropped(drag) !== null,
    onDragDrop: (drag: Parameters<typeof dropped>[0]) => {
      const moved = dropped(drag);
      if (moved) move(moved.file, moved.path);
    },
  };
  return (
    <Box
      ref={box}
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
        {...dragging}
      />
    </Box>
  );
}

/** Opens the folders above the shown file once, however deep it is. The user can close them again. */
function useRevealed(current: string | undefined, data: TreeNodeData[], box: React.RefObject<HTMLElement | null>) {
  const [expandedState, setExpanded] = useState<Record<string, boolean>>({});
  useEffect(() => {
    const above = directoriesAbove(current ?? '').map((directory) => [directory, true]);
    // The tree stores its previous state, so these folders are added to it.
    setExpanded((now) => ({ ...now, ...Object.fromEntries(above) }));
  }, [current]);
  const isThere = data.length > 0;
  const isOpened = directoriesAbove(current ?? '').every((directory) => expandedState[directory]);
  useEffect(() => {
    if (isThere && isOpened) box.current?.querySelector('[data-open]')?.scrollIntoView?.({ block: 'nearest' });
  }, [isThere, isOpened, box]);
  return useTree({ expandedState, onExpandedStateChange: setExpanded });
}

type RowProps<Shown> = Omit<Props<Shown>, 'files' | 'move'> & { payload: RenderTreeNodePayload };

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
      {isDirectory ? <FolderIcon isOpen={expanded} /> : <FileIcon name={file.name} />}
      <span className="cut-end" title={file.name}>
        {file.name}
      </span>
      {menu?.(file)}
    </div>
  );
}
