import type { Db } from '../../foundation/db/index.ts';
import { diffTrees, findCommit } from '../../repository/store/index.ts';
import { type FindMergeBase, versionWithBase } from '../requests/index.ts';
import { newestPatchId } from '../review/index.ts';
import { ruleOf } from '../rules/index.ts';
import type { Review } from './merge.service.ts';

/**
 * Reads the data that approvals are compared with, but only if the target requires something. Otherwise, a merge costs
 * nothing more.
 */
export const reviewing =
  (db: Db, findMergeBase: FindMergeBase): Review =>
  async (row, userId) => {
    const { approvals, owners, checks } = await ruleOf(db, row.project_id, row.target);
    if (approvals === 0 && !owners && checks.length === 0) return { changedPaths: null };
    const findVersion = (version: number) => versionWithBase(db, findMergeBase, { row, userId }, version);
    // Reviews are compared with what the newest version changes, which is computed here, before any transaction.
    await newestPatchId(db, row, findVersion);
    if (!owners) return { changedPaths: null };
    const { merge_base_sha: base } = await findVersion(row.version);
    const treeOf = async (sha: Buffer | null) => (sha && (await findCommit(db, row.project_id, sha))?.tree_sha) || null;
    const [before, after] = [await treeOf(base), await treeOf(row.head_sha)];
    const { files } = await diffTrees(db, row.project_id, before, after);
    return { changedPaths: files.map(({ path }) => path) };
  };
