import {
  type AuditAction,
  type BranchRule,
  type ChangeBranchRule,
  type CreateBranchRule,
  isValidBranchName,
} from '@bottega/contract';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { type Cause, conflict, invalid, notFound, type Principal } from '../../foundation/http/index.ts';
import { checkFields, type FieldChecks } from '../../foundation/http/request/field-checks.ts';
import { isId, newId } from '../../foundation/ids.ts';
import { recordAudit } from '../../identity/audit/index.ts';
import { lockManageableProject, readableProject, type WritableProject } from '../../projects/index.ts';
import { allQueues, wantQueue } from '../state/index.ts';
import * as rows from './rules.sql.ts';
import { noRule } from './strictest.ts';

/** The most rules of a project. Every write to the project compares all of them with the branch. */
const maxRules = 50;

export async function listBranchRules(db: Db, { userId }: Principal, projectId: string): Promise<BranchRule[]> {
  await readableProject(db, projectId, userId);
  return (await rows.listRules(db, projectId)).map(asRule);
}

/** A pattern is a name in which stars stand for parts. */
export const ruleChecks: FieldChecks<CreateBranchRule> = {
  async pattern(pattern) {
    if (!isValidBranchName(pattern.replaceAll(/\*+/g, 'x')))
      throw invalid('pattern', 'is not a valid name or pattern for branches');
  },
};

export async function createBranchRule(
  trx: Trx,
  { userId }: Principal,
  projectId: string,
  input: CreateBranchRule,
  cause: Cause,
): Promise<BranchRule> {
  const project = await lockManageableProject(trx, projectId, userId);
  await checkFields(input, ruleChecks);
  if ((await rows.listRules(trx, projectId)).length >= maxRules) {
    throw conflict(`A project can have at most ${maxRules} branch rules`);
  }
  const id = newId('brl');
  const isNew = await rows.insertRule(trx, { id, project_id: projectId, ...noRule, ...input });
  if (!isNew) throw conflict('The project already has a rule with this pattern; change that rule');
  return noteChange(trx, 'branch_rule.created', await mustFind(trx, projectId, id), { project, cause });
}

type Which = { projectId: string; ruleId: string };

export async function changeBranchRule(
  db: Db,
  { userId }: Principal,
  { projectId, ruleId }: Which,
  change: ChangeBranchRule,
  cause: Cause,
): Promise<BranchRule> {
  return transaction(db, async (trx) => {
    const project = await lockManageableProject(trx, projectId, userId);
    const { approvals, owners, checks, no_direct_push, check_minutes } = await mustFind(trx, projectId, ruleId);
    await rows.changeRule(trx, ruleId, { approvals, owners, checks, no_direct_push, check_minutes, ...change });
    return noteChange(trx, 'branch_rule.changed', await mustFind(trx, projectId, ruleId), { project, cause });
  });
}

export async function deleteBranchRule(
  db: Db,
  { userId }: Principal,
  { projectId, ruleId }: Which,
  cause: Cause,
): Promise<void> {
  await transaction(db, async (trx) => {
    const project = await lockManageableProject(trx, projectId, userId);
    const row = await mustFind(trx, projectId, ruleId);
    await rows.deleteRule(trx, ruleId);
    await noteChange(trx, 'branch_rule.deleted', row, { project, cause });
  });
}

async function mustFind(trx: Trx, projectId: string, ruleId: string): Promise<rows.RuleRow> {
  const row = isId('brl', ruleId) ? await rows.findRule(trx, projectId, ruleId) : undefined;
  if (!row) throw notFound('Rule');
  return row;
}

type About = { project: WritableProject; cause: Cause };
type Action = Extract<AuditAction, `branch_rule.${string}`>;

/** Records a change of a rule, so that the owner can see who relaxed it, and when. */
async function noteChange(trx: Trx, action: Action, row: rows.RuleRow, { project, cause }: About): Promise<BranchRule> {
  await rows.noteProtectedBranches(trx, project.id);
  // A waiting request may be ready now.
  for (const { target } of await allQueues(trx, project.id)) await wantQueue(trx, project.id, target);
  const { created_at: _created, updated_at: _updated, id, ...details } = asRule(row);
  await recordAudit(trx, { action, accountId: project.owner_id, subjectId: id, details }, cause);
  return asRule(row);
}

const asRule = ({ created_at, updated_at, ...row }: rows.RuleRow): BranchRule => ({
  ...row,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});
