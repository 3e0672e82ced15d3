import type { EventData } from '@bottega/contract';
import { appendEvent } from '../../events/index.ts';
import type { Trx } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import type { RequestRow } from './requests.sql.ts';
import { requestUrl } from './requests.view.ts';
import type { ReviewRow } from './reviews.sql.ts';
import { findPerson, type ThreadRow } from './threads.sql.ts';

export type RequestEvent =
  | 'merge_request.opened'
  | 'merge_request.updated'
  | 'merge_request.merged'
  | 'merge_request.closed'
  | 'merge_request.queued';

/** What events need besides the request: the project as they name it and whose webhooks get them, and the cause. */
export type About = { project: { id: string; name: string; owner_id: string }; publicUrl: string; cause: Cause };

export function tellRequest(trx: Trx, type: RequestEvent, row: RequestRow, about: About) {
  const { project, cause } = about;
  const data = dataOf(row, about);
  return appendEvent(trx, { accountId: project.owner_id, projectId: project.id, type, data }, cause);
}

export function tellDequeued(trx: Trx, row: RequestRow, reason: string, about: About) {
  const { project, cause } = about;
  const data = { ...dataOf(row, about), reason };
  const type = 'merge_request.dequeued';
  return appendEvent(trx, { accountId: project.owner_id, projectId: project.id, type, data }, cause);
}

function dataOf(row: RequestRow, { project, publicUrl }: About) {
  const { number, title, state, draft, source, target, version, author, updated_at } = row;
  return {
    project_id: project.id,
    project_name: project.name,
    ...{ number, title, state, draft, source, target, version, author },
    head_sha: row.head_sha.toString('hex'),
    merge_sha: row.merge_sha?.toString('hex') ?? null,
    url: requestUrl(publicUrl, row),
    updated_at: updated_at.toISOString(),
  };
}

export function tellReview(trx: Trx, row: RequestRow, review: ReviewRow, { project, publicUrl, cause }: About) {
  const data = {
    project_id: project.id,
    project_name: project.name,
    review_id: review.id,
    number: row.number,
    title: row.title,
    event: review.event,
    body: review.body,
    version: review.version,
    author: review.author,
    url: requestUrl(publicUrl, row),
    submitted_at: review.submitted_at.toISOString(),
  };
  return appendEvent(
    trx,
    { accountId: project.owner_id, projectId: project.id, type: 'review.submitted', data },
    cause,
  );
}

type Commented = {
  action: EventData['review.commented']['action'];
  thread: ThreadRow;
  /** Null if this is about the whole thread. */
  comment: { id: string; body?: string } | null;
  authorId: string;
};

/**
 * Sends the event about a comment. It is not for drafts, which only their authors see, and not for comments of a
 * review, which are part of its own event.
 */
export async function tellComment(
  trx: Trx,
  row: RequestRow,
  { action, thread, comment, authorId }: Commented,
  { project, publicUrl, cause }: About,
): Promise<void> {
  const data = {
    project_id: project.id,
    project_name: project.name,
    number: row.number,
    title: row.title,
    action,
    thread_id: thread.id,
    comment_id: comment?.id ?? null,
    path: thread.place_path,
    line: thread.place_line,
    body: comment?.body ?? null,
    author: (await findPerson(trx, authorId)) ?? null,
    url: `${requestUrl(publicUrl, row)}?thread=${thread.id}`,
    commented_at: new Date().toISOString(),
  };
  const event = { accountId: project.owner_id, projectId: project.id, type: 'review.commented' as const, data };
  await appendEvent(trx, event, cause);
}
