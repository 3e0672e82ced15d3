import type { File } from '@bottega/contract';
import type { TreeNodeData } from '@mantine/core';

/** The fields of a file that a tree shows. */
export type TreeFile = Pick<File, 'name' | 'path' | 'type'>;
export type FileNode<Shown extends TreeFile = File> = TreeNodeData & { file: Shown; children?: FileNode<Shown>[] };

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** Directories first, then by name in natural order. */
export function fileTree<Shown extends TreeFile>(files: readonly Shown[]): FileNode<Shown>[] {
  const below = new Map<string, Shown[]>();
  for (const file of files) below.set(parentOf(file.path), [...(below.get(parentOf(file.path)) ?? []), file]);
  const nodesIn = (directory: string): FileNode<Shown>[] =>
    (below.get(directory) ?? [])
      .toSorted((a, b) =>
        a.type === b.type
          ? a.name.localeCompare(b.name, undefined, { numeric: true })
          : a.type === 'directory'
            ? -1
            : 1,
      )
      .map((file) => ({
        value: file.path,
        label: file.name,
        file,
        ...(file.type === 'directory' && { children: nodesIn(file.path) }),
      }));
  return nodesIn('');
}

/** Every directory above a path. */
export function directoriesAbove(path: string): string[] {
  const parts = path.split('/').slice(1, -1);
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
}

/** The new path of a file or folder that is dropped on another row. Null if it cannot go there or is already there. */
export function droppedPath(dragged: TreeFile, target: TreeFile): string | null {
  const folder = target.type === 'directory' ? target.path : parentOf(target.path);
  const isInsideItself = folder === dragged.path || folder.startsWith(`${dragged.path}/`);
  return isInsideItself || folder === parentOf(dragged.path) ? null : `${folder}/${dragged.name}`;
}
