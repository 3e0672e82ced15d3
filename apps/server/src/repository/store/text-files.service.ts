import { sortByPath } from '../../foundation/concurrency/sort-by-path.ts';
import type { Queries } from '../../foundation/db/index.ts';
import { findInView, type View } from './branch-view.service.ts';
import { readTextContents, readTextFiles, type TextContent } from './contents.sql.ts';
import { treeBudget, walkTree } from './trees.service.ts';

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
    const shas = files.slice(at, at + 100).map(({ sha }) => sha);
    const contents = await readTextContents(db, view.projectId, { shas, largest });
    if (contents.length === 0) throw new Error(`the content of ${files[at]?.path} is not stored`);
    for (const content of contents) {
      const { path = '' } = files[at++] ?? {};
      yield { ...content, path, id: async () => (await findInView(db, view, path))?.id ?? '' };
    }
  }
}
