import { IconChevronRight } from '@tabler/icons-react';
import { type CSSProperties, memo, type ReactNode } from 'react';
import { FileIcon, FolderIcon } from './file-icon.tsx';
import type { TreeFile, TreeRow } from './file-tree.ts';

type Props<Shown extends TreeFile> = {
  row: TreeRow<Shown>;
  top: number;
  isCurrent: boolean;
  isStop: boolean;
  isOver: boolean;
  isDraggable: boolean;
  act: (file: Shown) => void;
  menu: ((file: Shown) => ReactNode) | undefined;
};

/** How far a row is from the row of its folder. */
const offset = 14;

function Row<Shown extends TreeFile>({ row, top, isCurrent, isStop, isOver, isDraggable, ...calls }: Props<Shown>) {
  const { act, menu } = calls;
  const { file, level, place, siblings, isOpen } = row;
  const isFolder = file.type === 'directory';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it has the keys
    <div
      role="treeitem"
      className="tree-row"
      data-value={file.path}
      data-open={isCurrent || undefined}
      data-folder={isFolder || undefined}
      data-drag-over={isOver || undefined}
      aria-label={file.name}
      aria-level={level}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-selected={isCurrent}
      {...(isFolder && { 'aria-expanded': isOpen })}
      tabIndex={isStop ? 0 : -1}
      draggable={isDraggable}
      style={{ top, '--label-offset': `${(level - 1) * offset}px` } as CSSProperties}
      onClick={() => act(file)}
    >
      {isFolder && <IconChevronRight size={12} aria-hidden style={{ rotate: isOpen ? '90deg' : '0deg' }} />}
      {isFolder ? <FolderIcon isOpen={isOpen} /> : <FileIcon name={file.name} />}
      <span className="cut-end" title={file.name}>
        {file.name}
      </span>
      {menu?.(file)}
    </div>
  );
}

/** Only the rows that change are drawn again when another file is opened. */
export const FileRow = memo(Row) as typeof Row;
