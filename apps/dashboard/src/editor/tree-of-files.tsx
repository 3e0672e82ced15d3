import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { foldersIn, rowsIn, type TreeFile } from './file-tree.ts';
import { useTreeDragging } from './tree-dragging.ts';
import { FileRow } from './tree-file-row.tsx';
import { stepOf } from './tree-keys.ts';
import { rowHeight, useRowsInView } from './tree-window.ts';
import { useOpenFolders } from './use-open-folders.ts';

type Props<Shown> = {
  files: readonly Shown[];
  current: string | undefined;
  open: (path: string) => void;
  /** A folder to move the focus to. A new object moves the focus again. */
  sought?: { path: string } | undefined;
  /** The actions for a file, at the end of its row. */
  menu?: ((file: Shown) => ReactNode) | undefined;
  /** Enables dragging files and folders. */
  move?: ((file: Shown, path: string) => void) | undefined;
};

/**
 * The tree of files. The page contains only the rows near the visible part, and two others: that of the open file, and
 * the row with the focus.
 */
export function FileTree<Shown extends TreeFile>({ files, current, sought, open, menu, move }: Props<Shown>) {
  const words = useWords(editorWords);
  const list = useRef<HTMLDivElement>(null);
  const folders = useMemo(() => foldersIn(files), [files]);
  const { opened, toggle } = useOpenFolders(current, sought?.path);
  const rows = useMemo(() => rowsIn(folders, opened), [folders, opened]);
  const indexOf = (path: string | undefined) => rows.findIndex(({ file }) => file.path === path);
  const now = indexOf(current);
  const { from, to } = useRowsInView(list);
  const { active, goTo, notice } = useActiveRow(list, { current: rows[now]?.file.path, sought });
  const stop = Math.max(indexOf(active), active === undefined ? now : -1, 0);
  const shown = rows.flatMap((row, index) =>
    (index >= from && index < to) || index === now || index === stop ? [{ row, index }] : [],
  );
  const indexAt = (element: EventTarget) => indexOf(pathAt(element));
  const dragging = useTreeDragging<Shown>({ fileAt: (element) => rows[indexAt(element)]?.file, move });
  const act = useCallback(
    (file: Shown) => (file.type === 'directory' ? toggle(file.path) : open(file.path)),
    [toggle, open],
  );
  const press = (event: KeyboardEvent) => {
    const { key, target, currentTarget, ctrlKey, metaKey, altKey } = event;
    const at = indexAt(target);
    if (at === -1 || ctrlKey || metaKey || altKey) return;
    const isOnRow = (target as Element).parentElement === currentTarget;
    const file = rows[at]?.file;
    const step = stepOf(rows, at, key);
    const isPressed = isOnRow && file && (key === 'Enter' || key === ' ');
    if (!step && !isPressed) return;
    event.preventDefault();
    // The event must not reach the page, in which some letters are keyboard shortcuts.
    event.stopPropagation();
    if (isPressed) act(file);
    else if (step && 'folder' in step) toggle(step.folder);
    else if (step) goTo(rows[step.to]?.file.path);
  };
  return (
    <div
      ref={list}
      role="tree"
      className="tree"
      aria-label={words.tree}
      style={{ height: rows.length * rowHeight }}
      onKeyDown={press}
      onFocus={({ target }) => notice(pathAt(target))}
      {...dragging.handlers}
    >
      {shown.map(({ row, index }) => (
        <FileRow
          key={row.file.path}
          row={row}
          top={index * rowHeight}
          isCurrent={index === now}
          isStop={index === stop}
          isOver={row.file.path === dragging.over}
          isDraggable={move !== undefined}
          act={act}
          menu={menu}
        />
      ))}
    </div>
  );
}

/**
 * The path of the row that contains an element. Undefined for elements of a row's menu: React passes its events through
 * the list, although it is not in the list.
 */
const pathAt = (element: EventTarget): string | undefined =>
  (element as Element).closest<HTMLElement>('[role=treeitem]')?.dataset.value;

/** `current` is undefined while the row of the open file is inside a closed folder. */
type Shown = { current: string | undefined; sought: { path: string } | undefined };

/** Returns the one row at which the Tab key stops: the last one that had the focus. */
function useActiveRow(list: React.RefObject<HTMLElement | null>, { current, sought }: Shown) {
  const [active, setActive] = useState({ path: sought?.path, isWanted: sought !== undefined });
  const router = useRouter();
  const [seen, setSeen] = useState(sought);
  if (sought !== seen) {
    setSeen(sought);
    setActive({ path: sought?.path, isWanted: true });
  }
  const rowOf = (path: string) => list.current?.querySelector<HTMLElement>(`[data-value="${CSS.escape(path)}"]`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row is in view after another file is opened
  useLayoutEffect(() => {
    if (current === undefined) return;
    const reveal = () => rowOf(current)?.scrollIntoView?.({ block: 'nearest' });
    reveal();
    // This waits for the router, which would otherwise restore the former scroll position afterwards.
    const stop = router.subscribe('onRendered', () => {
      stop();
      reveal();
    });
    return stop;
  }, [current]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new wish moves the focus
  useLayoutEffect(() => {
    if (!active.isWanted || active.path === undefined) return;
    const row = rowOf(active.path);
    row?.scrollIntoView?.({ block: 'nearest' });
    row?.focus({ preventScroll: true });
  }, [active]);
  return {
    active: active.path,
    goTo: (path: string | undefined) => setActive({ path, isWanted: true }),
    notice: (path: string | undefined) => {
      if (path !== undefined && path !== active.path) setActive({ path, isWanted: false });
    },
  };
}
