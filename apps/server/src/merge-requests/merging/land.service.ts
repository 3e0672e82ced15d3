import type { Commit, CreateMerge } from '@bottega/contract';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { AppError, type Cause, conflict, type Principal } from '../../foundation/http/index.ts';
import { lockWritableProject } from '../../projects/index.ts';
import { mainBranch } from '../../repository/objects/ref-names.ts';
import { type CommitRow, findCommit, findTip, resolveBranch } from '../../repository/store/index.ts';
import { missingChecks, planChecks } from '../checks/index.ts';
import { ruleOf } from '../rules/index.ts';
import * as rows from '../state/index.ts';
import { definitionBlocks, NotReady, type Reviewed, readinessWith } from './readiness.service.ts';

/** Merges one branch into another, and stores the result in the transaction that it is given. */
export type MergeBranches = (asked: {
  userId: string;
  projectId: string;
  cause: Cause;
  input: CreateMerge;
  signal: AbortSignal;
  /** Allows the merge to move a branch that only merge requests may change. */
  byRequest: true;
  store(work: (trx: Trx) => Promise<Commit>): Promise<Commit>;
}) => Promise<Commit>;

export type DeleteBranch = (asked: {
  principal: Pick<Principal, 'userId'>;
  projectId: string;
  name: string;
  head: Buffer;
  cause: Cause;
}) => Promise<void>;

export type Landing = { db: Db; publicUrl(): string; mergeBranches: MergeBranches; deleteBranch: DeleteBranch };

type Asked = {
  row: rows.RequestRow;
  userId: string;
  cause: Cause;
  input: CreateMerge;
  signal: AbortSignal;
  reviewed: Reviewed;
  trusted: boolean;
  /** Commits for which other systems may have reported checks. */
  shas: readonly Buffer[];
  /** The names of the checks that must have succeeded. Null for those that the rule of the target requires. */
  required: readonly string[] | null;
  /** Called in the transaction before anything moves. */
  stillWanted?(trx: Trx): Promise<void>;
};

/**
 * Merges the request and moves the target. With the project locked, everything that is required is checked again, and
 * the checks must have passed for exactly the tree that the target gets.
 */
export async function land(landing: Landing, asked: Asked): Promise<void> {
  const { db, publicUrl, mergeBranches } = landing;
  const { row, userId, cause, input, signal } = asked;
  const { project_id: projectId, number } = row;
  await mergeBranches({
    ...{ userId, projectId, cause, input, signal, byRequest: true },
    store: (work) =>
      transaction(db, async (trx) => {
        const project = await lockWritableProject(trx, projectId, userId);
        const now = await rows.findRequest(trx, projectId, number);
        if (!now) throw conflict('The merge request no longer exists');
        await mustBeAsSeen(trx, now, row);
        await asked.stillWanted?.(trx);
        const before = await findTip(trx, projectId, row.target);
        await mustBeApproved(trx, { ...asked, row: now });
        const commit = await work(trx);
        await mustHavePassed(trx, { ...asked, row: now }, { before, sha: Buffer.from(commit.sha, 'hex') });
        await rows.deleteEntry(trx, now);
        // If the target got the request's own commits, the request is already recorded as merged. Other strategies
        // write new commits.
        if ((await rows.findRequest(trx, projectId, number))?.state === 'merged') return commit;
        await rows.noteMerged(trx, now, userId, Buffer.from(commit.sha, 'hex'));
        const merged = (await rows.findRequest(trx, projectId, number)) ?? now;
        await rows.tellRequest(trx, 'merge_request.merged', merged, { project, publicUrl: publicUrl(), cause });
        return commit;
      }),
  });
}

/** Throws if somebody has pushed to the source or chosen another target since the caller looked. */
async function mustBeAsSeen(trx: Trx, now: rows.RequestRow, seen: rows.RequestRow): Promise<void> {
  if (now.state !== 'open') throw conflict(`The merge request is ${now.state}`);
  // New commits of a fork do not belong to a version yet, so they are not merged.
  const head = now.source_project_id ? undefined : await resolveBranch(trx, now.project_id, now.source);
  if (!seen.head_sha.equals(now.head_sha) || (head && !head.equals(now.head_sha))) throw sourceMoved();
  if (now.target !== seen.target) throw conflict('The target of the merge request has changed');
}

export const sourceMoved = (): AppError =>
  conflict('The source has changed since it was reviewed; look at the newest version first');

async function mustBeApproved(trx: Trx, { row, reviewed }: Asked): Promise<void> {
  const rule = await ruleOf(trx, row.project_id, row.target);
  const { blocked_by: blocks } = await readinessWith(trx, row, { rule, reviewed });
  if (blocks.length > 0) throw new NotReady(blocks);
}

async function mustHavePassed(
  trx: Trx,
  { row, trusted, shas, required: wanted }: Asked,
  { before, sha }: { before: CommitRow | undefined; sha: Buffer },
): Promise<void> {
  const { project_id: projectId, target } = row;
  const rule = await ruleOf(trx, projectId, target);
  const required = wanted ?? rule.checks;
  const after = await findCommit(trx, projectId, sha);
  if (required.length === 0 || !before || !after) return;
  const merged = { projectId, before: before.tree_sha, after: after.tree_sha, required };
  const { checks: plan } = await planChecks(trx, merged);
  const tested = { projectId, plan, tree: after.tree_sha, trusted, shas: [...shas, sha] };
  const test = await rows.findTest(trx, row);
  const waited = { since: test?.tested_at ?? row.updated_at, minutes: rule.check_minutes };
  const missing = [
    ...(await missingChecks(trx, { ...tested, ...waited }, required)),
    ...(await definitionBlocks(trx, row, { plan, required })),
  ];
  if (missing.length > 0) throw new NotReady(missing);
}

/**
 * Deletes the source branch after the merge. A refusal is ignored: somebody else may have deleted the branch meanwhile,
 * or written to it, or it may be protected.
 */
export async function deleteSource(
  { deleteBranch }: Pick<Landing, 'deleteBranch'>,
  { project_id: projectId, source, source_project_id: fork, head_sha: head }: rows.RequestRow,
  { userId, cause }: { userId: string; cause: Cause },
): Promise<void> {
  if (source === mainBranch || fork !== null) return;
  await deleteBranch({ principal: { userId }, projectId, name: source, head, cause }).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
  });
}
