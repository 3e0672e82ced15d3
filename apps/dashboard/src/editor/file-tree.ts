import type { File } from '@bottega/contract';

/** The fields of a file that a tree shows. */
export type TreeFile = Pick<File, 'name' | 'path' | 'type'>;

/** A visible row. `place` counts from 1 among the `siblings` entries of its folder. */
export type TreeRow<Shown extends TreeFile = TreeFile> = {
  file: Shown;
  level: number;
  place: number;
  siblings: number;
  isOpen: boolean;
};

type Folders<Shown> = ReadonlyMap<string, readonly Shown[]>;

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** Sorting with a collator takes a tenth of the time of `localeCompare`. */
const natural = new Intl.Collator(undefined, { numeric: true });

/** The entries of each folder: directories first, then by name in natural order. */
export function foldersIn<Shown extends TreeFile>(files: readonly Shown[]): Folders<Shown> {
  const folders = Map.groupBy(files, ({ path }) => parentOf(path));
  for (const entries of folders.values()) {
    entries.sort((a, b) => (a.type === b.type ? natural.compare(a.name, b.name) : a.type === 'directory' ? -1 : 1));
  }
  return folders;
}

/** All rows that a tree with these open folders has, from top to bottom. */
export function rowsIn<Shown extends TreeFile>(
  folders: Folders<Shown>,
  opened: ReadonlySet<string>,
  { directory = '', level = 1 } = {},
): TreeRow<Shown>[] {
  const entries = folders.get(directory) ?? [];
  return entries.flatMap((file, index) => {
    const isOpen = file.type === 'directory' && opened.has(file.path);
    const row = { file, level, place: index + 1, siblings: entries.length, isOpen };
    return isOpen ? [row, ...rowsIn(folders, opened, { directory: file.path, level: level + 1 })] : [row];
  });
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
