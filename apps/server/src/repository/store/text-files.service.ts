import { sortByPath } from '../../foundation/concurrency/sort-by-path.ts';
import type { Queries } from '../../foundation/db/index.ts';
import { findInView, type View } from './branch-view.service.ts';
import { readTextFiles, searchedAtOnce, type TextContent } from './contents.sql.ts';
import { readObjects } from './objects.service.ts';
import { infoOf, type TreeFile, treeBudget, walkTree } from './trees.service.ts';

/** A file with its content, if it is small enough. Its id is looked up only if a search finds the file. */
export type SearchedFile = TextContent & { path: string; id(): Promise<string> };

/** All files in order of path. Only files of up to `largest` bytes have their content. */
export async function* textFilesOfMain(db: Queries, projectId: string, largest: number): AsyncGenerator<SearchedFile> {
  for (let after = ''; ; ) {
    const files = await readTextFiles(db, projectId, { after, largest });
    if (files.length === 0) return;
    for (const { id, ...file } of files) {
      yield { ...file, id: async () => id };
      after = file.path;
    }
  }
}

/** The same for another branch, a tag or a commit. */
export async function* textFilesOfView(db: Queries, view: View, largest: number): AsyncGenerator<SearchedFile> {
  const budget = treeBudget();
  const all = await walkTree(db, view.projectId, { tree: view.tree, path: '', recursive: true }, budget);
  const files = await sortByPath(all.files, budget);
  for (let at = 0; at < files.length; ) {
    const some = await withSizes(db, view.projectId, files.slice(at, at + searchedAtOnce.files), largest);
    const contents = await readContents(db, view.projectId, some, largest);
    for (const { path, sha, size } of some) {
      const deflated = contents.get(sha.toString('hex')) ?? null;
      yield { path, size, deflated, id: async () => (await findInView(db, view, path))?.id ?? '' };
    }
    at += some.length;
  }
}

/** The first of these files, up to some megabytes and at least one. */
async function withSizes(db: Queries, projectId: string, files: TreeFile[], largest: number) {
  const shas = files.map(({ sha }) => sha);
  const infos = await infoOf(db, projectId, shas);
  const sized = [];
  let bytes = 0;
  for (const { path, sha } of files) {
    const size = infos.get(sha.toString('hex'))?.size;
    if (size === undefined) throw new Error(`the content of ${path} is not stored`);
    bytes += Math.min(size, largest);
    if (sized.length > 0 && bytes > searchedAtOnce.bytes) break;
    sized.push({ path, sha, size });
  }
  return sized;
}

async function readContents(db: Queries, projectId: string, files: { sha: Buffer }[], largest: number) {
  const shas = files.map(({ sha }) => sha);
  const contents = new Map<string, Buffer>();
  for await (const { sha, deflated } of readObjects(db, projectId, shas, { type: 'blob', largest })) {
    contents.set(sha.toString('hex'), deflated);
  }
  return contents;
}
