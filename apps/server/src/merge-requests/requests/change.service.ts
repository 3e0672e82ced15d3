import { type ChangeMergeRequest, type MergeRequest, newMentionsIn } from '@bottega/contract';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { type Cause, conflict, invalid, notFound, type Principal } from '../../foundation/http/index.ts';
import { mustBeActive, mustHave, mustSee } from '../../projects/access/index.ts';
import { lockKnownProject } from '../../projects/index.ts';
import { resolveBranch } from '../../repository/store/index.ts';
import * as rows from '../state/index.ts';
import { mustHaveFew } from './offers.ts';
import { askForReview, mustBeMembers } from './people.ts';
import type { Which } from './read.service.ts';
import { addVersion } from './versions.service.ts';

type Changing = { db: Db; publicUrl: string; cause: Cause };

/** Changes a request. Its author may do that, and everybody who can write to the project. */
export async function changeRequest(
  { db, publicUrl, cause }: Changing,
  { userId }: Principal,
  { projectId, number }: Which,
  input: ChangeMergeRequest,
): Promise<MergeRequest> {
  return transaction(db, async (trx) => {
    const project = mustSee(await lockKnownProject(trx, projectId, userId), userId);
    const row = await rows.findRequest(trx, projectId, number);
    if (!row) throw notFound('Merge request');
    const { reviewers, assignees, ...fields } = input;
    const isForMembers = reviewers ?? assignees ?? input.labels;
    if (row.author_id !== userId || isForMembers) mustHave(project, userId, 'write');
    mustBeActive(project);
    await mustBeChangeable(trx, row, input);
    if (reviewers) await replace(trx, row, 'reviewers', reviewers);
    if (assignees) await replace(trx, row, 'assignees', assignees);
    await rows.changeRequest(trx, row, fields);
    if (input.target !== undefined && input.target !== row.target) await compareWith(trx, row, input.target, userId);
    if (row.queue) await rows.wantQueue(trx, projectId, row.target);
    if (input.target !== undefined || input.state === 'open') await rows.wantTest(trx, row);
    const now = (await rows.findRequest(trx, projectId, number)) ?? row;
    await rows.tellRequest(trx, eventOf(row, now), now, { project, publicUrl, cause });
    const known = new Set(row.reviewers.map(({ id }) => id));
    const added = (reviewers ?? []).filter((id) => !known.has(id));
    await askForReview(trx, now, added, { userId, cause });
    const names = newMentionsIn(now.description, row.description);
    const said = { authorId: userId, text: { body: now.description }, names, except: added };
    await rows.notifyOfMentions(trx, now, said, cause);
    return rows.requestView(now, publicUrl);
  });
}

/**
 * Adds a version with the same head. The newest one is compared with the former target, and so are its approvals: they
 * say nothing about what else the new target would get.
 */
async function compareWith(trx: Trx, row: rows.RequestRow, target: string, pushedBy: string): Promise<void> {
  const base = await resolveBranch(trx, row.project_id, target);
  if (base) await addVersion(trx, row, { version: row.version + 1, head: row.head_sha, base, pushedBy });
}

const eventOf = (before: rows.RequestRow, after: rows.RequestRow): rows.RequestEvent => {
  if (before.state === after.state) return 'merge_request.updated';
  return after.state === 'closed' ? 'merge_request.closed' : 'merge_request.opened';
};

async function mustBeChangeable(trx: Trx, row: rows.RequestRow, { state, target }: ChangeMergeRequest): Promise<void> {
  if (row.state === 'merged' && (state !== undefined || target !== undefined)) {
    throw conflict('The merge request is merged, so its state and target can no longer change');
  }
  if (target !== undefined) {
    if (target === row.source && !row.source_project_id)
      throw invalid('target', 'must be a different branch from the source');
    if (!(await resolveBranch(trx, row.project_id, target))) throw invalid('target', 'is not a branch of the project');
  }
  if (state !== 'open' || row.state === 'open') return;
  if (row.source_project_id && row.author_id) await mustHaveFew(trx, row.project_id, row.author_id);
  if (!(await resolveBranch(trx, row.source_project_id ?? row.project_id, row.source))) {
    throw conflict('The source branch no longer exists; create it again first');
  }
}

async function replace(
  trx: Trx,
  row: rows.RequestRow,
  field: 'reviewers' | 'assignees',
  userIds: readonly string[],
): Promise<void> {
  await mustBeMembers(trx, row.project_id, field, userIds);
  await rows.setPeople(trx, row, field === 'reviewers' ? 'reviewer' : 'assignee', userIds);
}
