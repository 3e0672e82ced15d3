import type { MergeRequestDiff, MergeRequestDiffQuery } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { notFound } from '../../foundation/http/index.ts';
import { describeDifferences } from '../../repository/files/index.ts';
import { diffTrees, findCommit } from '../../repository/store/index.ts';
import * as rows from '../state/index.ts';

/** Finds the newest commit that both sides have. */
export type FindMergeBase = (
  userId: string,
  projectId: string,
  pair: { base: Buffer; head: Buffer },
) => Promise<Buffer | null>;

/** The version with its merge base. Git finds the merge base once, and it is then stored. */
export async function versionWithBase(
  db: Db,
  findMergeBase: FindMergeBase,
  { row, userId }: Pick<Asked, 'row' | 'userId'>,
  version: number,
): Promise<rows.VersionRow> {
  const found = await rows.findVersion(db, row, version);
  if (!found) throw notFound('Version');
  if (found.merge_base_sha) return found;
  const sha = await findMergeBase(userId, row.project_id, { base: found.base_sha, head: found.head_sha });
  if (sha) await rows.noteMergeBase(db, row, version, sha);
  return { ...found, merge_base_sha: sha };
}

type Asked = { row: rows.RequestRow; query: MergeRequestDiffQuery; userId: string };

/** The commits on both sides of a diff. */
export async function sidesOf(db: Db, findMergeBase: FindMergeBase, asked: Asked) {
  const { row, query } = asked;
  const { from, to = row.version } = query;
  const right = await versionWithBase(db, findMergeBase, asked, to);
  const left = from === undefined ? right.merge_base_sha : (await rows.findVersion(db, row, from))?.head_sha;
  if (left === undefined) throw notFound('Version');
  return { left, right: right.head_sha, version: to };
}

export async function describeDiff(
  db: Db,
  { row, query }: Asked,
  { left, right, version }: Awaited<ReturnType<typeof sidesOf>>,
): Promise<MergeRequestDiff> {
  const treeOf = async (sha: Buffer | null) => (sha && (await findCommit(db, row.project_id, sha))?.tree_sha) ?? null;
  const { files } = await diffTrees(db, row.project_id, await treeOf(left), await treeOf(right));
  const { path, diffs, counts } = query;
  const described = await describeDifferences(db, row.project_id, files, {
    diffs,
    counts,
    ...(path !== undefined && { path }),
  });
  return { from_sha: left?.toString('hex') ?? null, to_sha: right.toString('hex'), version, ...described };
}
