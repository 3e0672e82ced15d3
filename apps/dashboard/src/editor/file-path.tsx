import { UnstyledButton } from '@mantine/core';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { directoriesAbove } from './file-tree.ts';
import type { Side } from './side.tsx';

/** The path of the shown file; its tab has room only for its name. A folder leads to its row in the tree. */
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
 * For a folder inside a closed one, goes to the nearest visible row. There is none while the search replaces the tree.
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
