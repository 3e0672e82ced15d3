import type { Queries, Trx } from '../../foundation/db/index.ts';
import { type Cause, invalid } from '../../foundation/http/index.ts';
import { notify } from '../../notifications/index.ts';
import * as rows from '../state/index.ts';

/** Throws unless all of these users are members of the project. */
export async function mustBeMembers(
  db: Queries,
  projectId: string,
  field: 'reviewers' | 'assignees',
  userIds: readonly string[],
): Promise<void> {
  if (userIds.length === 0) return;
  const known = new Set(await rows.listMembers(db, projectId));
  if (userIds.some((id) => !known.has(id))) throw invalid(field, 'must be members of the project');
}

/** Tells reviewers that somebody waits for them. */
export async function askForReview(
  trx: Trx,
  { project_id: projectId, number, title }: rows.RequestRow,
  reviewers: readonly string[],
  { userId, cause }: { userId: string; cause: Cause },
): Promise<void> {
  const data = { number, title };
  await notify(trx, { type: 'review_requested', to: reviewers, projectId, actorId: userId, data }, cause);
}
