import { checkReasons, type MergeReadiness, reasonOf } from '@bottega/contract';
import type { Queries } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { findTip } from '../../repository/store/index.ts';
import { missingChecks } from '../checks/index.ts';
import { type Block, hasManagersApproval, type Rule, readinessOf, ruleOf } from '../rules/index.ts';
import * as rows from '../state/index.ts';

/**
 * The data that the approvals of a request are compared with. It is read before a transaction, because git has to find
 * part of it.
 */
export type Reviewed = { changedPaths: readonly string[] | null };

type Readiness = Awaited<ReturnType<typeof readinessOf>>;

/** What is missing before the request can be merged, together with these further reasons. */
export async function readinessWith(
  db: Queries,
  row: rows.RequestRow,
  { rule, reviewed, further = [] }: { rule: Rule; reviewed: Reviewed; further?: readonly Block[] },
): Promise<Readiness> {
  const tip = await findTip(db, row.project_id, row.target);
  return readinessOf(db, { row, rule, ...reviewed, targetTree: tip?.tree_sha ?? Buffer.alloc(0), further });
}

/**
 * Blocks the request if it changes the definition of a required check, and nobody who may decide that has approved it.
 */
export async function definitionBlocks(
  db: Queries,
  row: rows.RequestRow,
  { plan, required }: { plan: readonly rows.PlannedCheck[]; required: readonly string[] },
): Promise<Block[]> {
  const names = plan
    .filter(({ definition, changed }) => changed && required.includes(definition.name))
    .map(({ definition }) => definition.name);
  if (names.length === 0 || (await hasManagersApproval(db, row))) return [];
  const message = `It changes required checks, which somebody with the permission manage must approve: ${names.join(', ')}`;
  return [{ reason: 'definition_changed', message, names }];
}

/** Everything that is missing before the request can be merged, for people who look at it. */
export async function readinessNow(
  db: Queries,
  row: rows.RequestRow,
  reviewed: Reviewed,
): Promise<Omit<MergeReadiness, 'can_merge'>> {
  const rule = await ruleOf(db, row.project_id, row.target);
  const further = row.state === 'open' ? await testBlocks(db, row, rule) : [];
  return readinessWith(db, row, { rule, reviewed, further });
}

async function testBlocks(db: Queries, row: rows.RequestRow, rule: Rule): Promise<Block[]> {
  const test = await rows.findTest(db, row);
  const { checks: required, check_minutes: minutes } = rule;
  // If there are no checks, the request was not merged for them, and conflicts show only at the real merge.
  const conflicts: Block[] =
    test?.problem && isUnmergeable(test.problem) ? [{ reason: 'conflicts', message: test.problem, names: [] }] : [];
  if (required.length === 0) return conflicts;
  const tip = await findTip(db, row.project_id, row.target);
  if (test && tip && test.plan.length > 0 && !tip.sha.equals(test.base_sha)) {
    const message = 'The target has moved since the checks ran; merge it when it is ready, and they run again';
    return [...conflicts, { reason: 'check_missing', message, names: [...required] }];
  }
  const tested = {
    projectId: row.project_id,
    plan: test?.plan ?? [],
    tree: test?.tree_sha ?? null,
    trusted: test?.trusted ?? true,
    shas: [row.head_sha, ...(test?.merge_sha ? [test.merge_sha] : [])],
    since: test?.tested_at ?? row.updated_at,
    minutes,
  };
  const missing = await missingChecks(db, tested, required);
  return [...conflicts, ...missing, ...(await definitionBlocks(db, row, { plan: tested.plan, required }))];
}

const unmergeable: ReadonlySet<string> = new Set(['merge_conflicts', 'merge_nothing', 'merge_unrelated']);

/** Whether the branches themselves are the problem, and not a mistake in bottega.json or a limit of the account. */
const isUnmergeable = (problem: string): boolean => unmergeable.has(reasonOf(checkReasons, problem)?.code ?? '');

/** The refusal (409) of a merge that is not ready. */
export class NotReady extends AppError {
  readonly blocks: readonly Block[];

  constructor(blocks: readonly Block[]) {
    const message = blocks.map((one) => one.message).join('. ');
    super('CONFLICT', message, { details: { reason: 'not_ready', blocked_by: blocks } });
    this.blocks = blocks;
  }
}
