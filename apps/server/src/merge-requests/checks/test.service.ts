import type { CheckRow, Wanted } from '../../checks/index.ts';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { AppError, causeOfRun } from '../../foundation/http/index.ts';
import type { Tasks } from '../../foundation/jobs/enqueue.ts';
import { lockWritableProject } from '../../projects/index.ts';
import type { Preparing } from '../../repository/merging/index.ts';
import { type CommitRow, findCommit, findTip } from '../../repository/store/index.ts';
import { ruleOf } from '../rules/index.ts';
import * as rows from '../state/index.ts';
import { type Plan, planChecks } from './plan.service.ts';
import { type Tester, testerOf } from './tester.ts';

export type PrepareMerge = (asked: Preparing) => Promise<CommitRow>;
export type WantChecks = (trx: Trx, wanted: Wanted) => Promise<CheckRow[]>;
export type Testing = { db: Db; prepareMerge: PrepareMerge; wantChecks: WantChecks };

/** Runs the job: merges the newest version into the present target, and requests the checks of the result. */
export async function testRequest(
  testing: Testing,
  { project_id: projectId, number }: Tasks['merge-requests:test'],
): Promise<void> {
  const { db } = testing;
  const row = await rows.findRequest(db, projectId, number);
  if (row?.state !== 'open') return;
  const [base, head] = await Promise.all([findTip(db, projectId, row.target), findCommit(db, projectId, row.head_sha)]);
  const tester = await testerOf(db, row);
  if (!base || !head) return;
  const { checks: required } = await ruleOf(db, projectId, row.target);
  const noted = { head_sha: head.sha, base_sha: base.sha, trusted: tester.trusted };
  const nothing = { ...noted, merge_sha: null, tree_sha: null, plan: [] };
  // Most projects have no checks, so their requests need not be merged for that.
  const first = await planChecks(db, { projectId, before: base.tree_sha, after: head.tree_sha, required });
  if (first.checks.length === 0) return rows.noteTest(db, row, { ...nothing, problem: first.problem });
  if (!tester.started) return rows.noteTest(db, row, { ...nothing, plan: first.checks, problem: first.problem });
  try {
    const merge = await testing.prepareMerge(preparingOf(row, { base, tester }));
    const plan = await planChecks(db, { projectId, before: base.tree_sha, after: merge.tree_sha, required });
    await note(testing, row, { ...noted, merge, plan, tester });
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    await rows.noteTest(db, row, { ...nothing, problem: error.message });
  }
}

const preparingOf = (row: rows.RequestRow, { base, tester }: { base: CommitRow; tester: Tester }): Preparing => ({
  userId: tester.userId,
  projectId: row.project_id,
  cause: causeOfRun(tester.userId),
  onto: base.sha,
  source: row.head_sha,
  input: { source: row.source, target: row.target, strategy: 'merge' },
  ref: `refs/merge-requests/${row.number}/merge`,
});

type Tested = { head_sha: Buffer; base_sha: Buffer; trusted: boolean; merge: CommitRow; plan: Plan; tester: Tester };

async function note(
  { db, wantChecks }: Testing,
  row: rows.RequestRow,
  { merge, plan, tester, ...noted }: Tested,
): Promise<void> {
  await transaction(db, async (trx) => {
    const project = await lockWritableProject(trx, row.project_id, tester.userId);
    const test = { ...noted, merge_sha: merge.sha, tree_sha: merge.tree_sha, plan: plan.checks, problem: plan.problem };
    await rows.noteTest(trx, row, test);
    await wantChecks(trx, {
      project,
      commit: merge,
      definitions: plan.checks.filter(({ applies }) => applies).map(({ definition }) => definition),
      scope: rows.scopeOfChecks(row.number),
      trusted: tester.trusted,
      cause: causeOfRun(tester.userId),
    });
  });
}
