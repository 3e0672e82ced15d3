import { UnstyledButton } from '@mantine/core';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { directoriesAbove } from './file-tree.ts';
import type { Side } from './side.tsx';

/**
 * Shows the path of the open file, because its tab has room only for the name. A click on a folder goes to its row in
 * the tree.
 */
export function FilePath({ path, side }: { path: string; side: Side }) {
  const words = useWords(editorWords);
  const go = (directory: string) => (side.isDrawer ? side.show() : goToRow(directory));
  return (
    <nav aria-label={words.whereItLies}>
      <ol className="file-path">
        {directoriesAbove(path).map((directory) => (
          <li key={directory}>
            <UnstyledButton onClick={() => go(directory)}>{nameOf(directory)}</UnstyledButton>
          </li>
        ))}
        <li aria-current="page">{nameOf(path)}</li>
      </ol>
    </nav>
  );
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * Goes to a folder's row in the tree, or to the nearest visible row if the folder is inside a closed one. While the
 * search replaces the tree, there is no row.
 */
function goToRow(directory: string): void {
  const ways = [...directoriesAbove(directory), directory].reverse();
  const rows = ways.map((way) =>
    document.querySelector<HTMLElement>(`[role=treeitem][data-value="${CSS.escape(way)}"]`),
  );
  const row = rows.find((one) => one !== null);
  row?.focus();
  row?.scrollIntoView({ block: 'nearest' });
}
