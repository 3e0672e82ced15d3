import { sortByPath } from '../../foundation/concurrency/sort-by-path.ts';
import type { Queries } from '../../foundation/db/index.ts';
import { rowsOfEntries, type View } from './branch-view.service.ts';
import { readTextFiles, type TextFile } from './contents.sql.ts';
import { readObjects } from './objects.sql.ts';
import { treeBudget, walkTree } from './trees.service.ts';

/** All files in order of path. The content only of those up to `largest` bytes. */
export async function* textFilesOfMain(db: Queries, projectId: string, largest: number): AsyncGenerator<TextFile> {
  for (let after = ''; ; ) {
    const files = await readTextFiles(db, projectId, { after, largest });
    const last = files.at(-1);
    if (!last) return;
    yield* files;
    after = last.path;
  }
}

const filesAtOnce = 100;
const bytesAtOnce = 8 * 1_048_576;

/** The same for another branch, a tag or a commit. */
export async function* textFilesOfView(db: Queries, view: View, largest: number): AsyncGenerator<TextFile> {
  const budget = treeBudget();
  const all = await walkTree(db, view.projectId, { tree: view.tree, path: '', recursive: true }, budget);
  const files = await sortByPath(all.files, budget);
  for (let from = 0; from < files.length; from += filesAtOnce) {
    const some = files.slice(from, from + filesAtOnce);
    const rows = await rowsOfEntries(db, view, { files: some, directories: [] });
    let batch: (TextFile & { sha: Buffer })[] = [];
    let bytes = 0;
    for (const [place, { id, path, size }] of rows.entries()) {
      const sha = some[place]?.sha;
      if (!sha) continue;
      batch.push({ id, path, size, sha, deflated: null });
      bytes += Math.min(size, largest);
      if (bytes < bytesAtOnce) continue;
      yield* await withContents(db, view.projectId, batch, largest);
      [batch, bytes] = [[], 0];
    }
    yield* await withContents(db, view.projectId, batch, largest);
  }
}

async function withContents(
  db: Queries,
  projectId: string,
  files: (TextFile & { sha: Buffer })[],
  largest: number,
): Promise<TextFile[]> {
  const shas = files.filter(({ size }) => size <= largest).map(({ sha }) => sha);
  const contents = new Map<string, Buffer>();
  for await (const { sha, deflated } of readObjects(db, projectId, shas, { type: 'blob', largest })) {
    contents.set(sha.toString('hex'), deflated);
  }
  return files.map((file) => ({ ...file, deflated: contents.get(file.sha.toString('hex')) ?? null }));
}
