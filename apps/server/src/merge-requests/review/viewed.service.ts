import type { MarkViewed, ViewedFiles } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { conflict, type Principal } from '../../foundation/http/index.ts';
import { diffTrees } from '../../repository/store/index.ts';
import * as rows from '../state/index.ts';
import { treeOf } from './contents.ts';
import type { FindVersion } from './places.service.ts';

const mostMarks = 20_000;
/** Stands for the content of a file that the request deletes. */
const deleted = Buffer.alloc(20);

/** The content that each changed file has in the newest version, by path. */
async function changedFiles(db: Db, row: rows.RequestRow, findVersion: FindVersion): Promise<Map<string, Buffer>> {
  const { merge_base_sha, head_sha } = await findVersion(row.version);
  const trees = [await treeOf(db, row.project_id, merge_base_sha), await treeOf(db, row.project_id, head_sha)] as const;
  const { files } = await diffTrees(db, row.project_id, ...trees);
  return new Map(files.map(({ path, after }) => [path, after?.sha ?? deleted]));
}

/** Lists the files that the user has marked as viewed. A mark no longer counts when the file's content has changed. */
export async function listViewed(
  db: Db,
  { userId }: Principal,
  row: rows.RequestRow,
  findVersion: FindVersion,
): Promise<ViewedFiles> {
  const marks = await rows.listViewed(db, row, userId);
  if (marks.length === 0) return { paths: [] };
  const files = await changedFiles(db, row, findVersion);
  return { paths: marks.filter(({ path, sha }) => files.get(path)?.equals(sha)).map(({ path }) => path) };
}

export async function markViewed(
  db: Db,
  principal: Principal,
  row: rows.RequestRow,
  { paths, viewed }: MarkViewed,
  findVersion: FindVersion,
): Promise<ViewedFiles> {
  const { userId } = principal;
  if (!viewed) await rows.unmarkViewed(db, row, userId, paths);
  else {
    const files = await changedFiles(db, row, findVersion);
    const marks = [...new Set(paths)].flatMap((path) => {
      const sha = files.get(path);
      return sha ? [{ path, sha }] : [];
    });
    const known = new Set((await rows.listViewed(db, row, userId)).map(({ path }) => path));
    for (const { path } of marks) known.add(path);
    if (known.size > mostMarks) throw conflict(`At most ${mostMarks} files can be marked as viewed`);
    await rows.markViewed(db, row, userId, marks);
  }
  return listViewed(db, principal, row, findVersion);
}
