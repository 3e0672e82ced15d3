import type { Trx } from '../../foundation/db/index.ts';
import { conflict } from '../../foundation/http/index.ts';
import { ancestorsOf, type Change, entriesOf, type HeadReads, treeBudget } from '../store/index.ts';

/** Deleting or moving a directory deletes or moves each of its files, in one commit. */

export async function directoryDeletion(head: HeadReads, path: string): Promise<Change[]> {
  const files = await head.pathsBelow(path);
  const directories = await head.directoriesFrom(path);
  return [
    ...files.map((file): Change => ({ action: 'delete', path: file })),
    ...directories.map((directory): Change => ({ action: 'clear', path: directory.path })),
  ];
}

export async function directoryMove(
  trx: Trx,
  projectId: string,
  head: HeadReads,
  { path, newPath }: { path: string; newPath: string },
): Promise<Change[]> {
  if (ancestorsOf(newPath).includes(path) || newPath === path)
    throw conflict('A directory cannot be moved into itself');
  if (await head.findByPath(newPath)) throw conflict(`${newPath} already exists`);
  await mustHoldFilesOnly(trx, projectId, path, await head.directoriesFrom(path));
  const files = await head.pathsBelow(path);
  return [
    ...files.map((file): Change => ({ action: 'move', path: file, newPath: newPath + file.slice(path.length) })),
    { action: 'rename', path, newPath },
  ];
}

/** Throws if a directory contains symbolic links or submodules. They have no rows, so they would be left behind. */
async function mustHoldFilesOnly(
  trx: Trx,
  projectId: string,
  path: string,
  directories: { tree_sha: Buffer }[],
): Promise<void> {
  const shas = directories.map(({ tree_sha: sha }) => sha);
  const trees = await entriesOf(trx, projectId, shas, treeBudget());
  const links = [...trees.values()].flat().filter(({ mode }) => mode === 0o120000 || mode === 0o160000);
  if (links.length > 0) throw conflict(`${path} contains a symbolic link or submodule; only git can move it`);
}
