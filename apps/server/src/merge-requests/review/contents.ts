import type { Queries } from '../../foundation/db/index.ts';
import { isBinary } from '../../repository/objects/line-changes.ts';
import { isDirectoryMode } from '../../repository/objects/trees.ts';
import { entryAt, findCommit, readBlobs } from '../../repository/store/index.ts';

/** The tree of a commit. Null for no commit. */
export async function treeOf(db: Queries, projectId: string, commit: Buffer | null): Promise<Buffer | null> {
  return (commit && (await findCommit(db, projectId, commit))?.tree_sha) ?? null;
}

/** The text of a file in a commit. Null if it is missing, binary or too large to compare. */
export async function textAt(
  db: Queries,
  projectId: string,
  commit: Buffer | null,
  path: string,
): Promise<string | null> {
  const tree = await treeOf(db, projectId, commit);
  const entry = tree && (await entryAt(db, projectId, { tree, path }));
  return entry ? textOf(db, projectId, entry.sha) : null;
}

/** Whether a version can have comments on this path: its commit has a file there, of any kind, or deletes one. */
export async function isFileOf(
  db: Queries,
  projectId: string,
  { head_sha: head, merge_base_sha: base }: { head_sha: Buffer; merge_base_sha: Buffer | null },
  path: string,
): Promise<boolean> {
  for (const commit of [head, base]) {
    const tree = await treeOf(db, projectId, commit);
    const entry = tree && (await entryAt(db, projectId, { tree, path }));
    if (entry && !isDirectoryMode(entry.mode)) return true;
  }
  return false;
}

export async function textOf(db: Queries, projectId: string, sha: Buffer): Promise<string | null> {
  const content = (await readBlobs(db, projectId, [sha])).get(sha.toString('hex'));
  return content && !isBinary(content) ? content.toString('utf8') : null;
}
