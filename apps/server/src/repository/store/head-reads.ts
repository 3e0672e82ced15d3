import type { Queries } from '../../foundation/db/index.ts';
import { notFound } from '../../foundation/http/index.ts';
import { type HeadAt, isMain } from '../objects/ref-names.ts';
import { branchView, entriesBelow, findIdInView, findInView } from './branch-view.service.ts';
import { directoriesFrom, findById, findByPath, type ListedRow, pathsBelow } from './files.sql.ts';

/** Reads what is at the head of a branch. Main has a row for each entry. Other branches are read from their trees. */
export type HeadReads = {
  findById(id: string): Promise<ListedRow | undefined>;
  findByPath(path: string): Promise<ListedRow | undefined>;
  /** The paths of all files below a directory. */
  pathsBelow(path: string): Promise<string[]>;
  /** A directory and all directories below it, with their trees. */
  directoriesFrom(path: string): Promise<{ path: string; tree_sha: Buffer }[]>;
};

export async function readsOf(db: Queries, at: HeadAt): Promise<HeadReads> {
  const { projectId } = at;
  if (isMain(at)) {
    return {
      findById: (id) => findById(db, projectId, id),
      findByPath: (path) => findByPath(db, projectId, path),
      pathsBelow: (path) => pathsBelow(db, projectId, path),
      directoriesFrom: (path) => directoriesFrom(db, projectId, path),
    };
  }
  const view = await branchView(db, at);
  if (!view) throw notFound('Branch');
  return {
    findById: (id) => findIdInView(db, view, id),
    findByPath: (path) => findInView(db, view, path),
    pathsBelow: async (path) => (await entriesBelow(db, view, path)).files.map((file) => file.path),
    async directoriesFrom(path) {
      const { directories } = await entriesBelow(db, view, path);
      return directories.map(({ path: place, sha }) => ({ path: place, tree_sha: sha }));
    },
  };
}
