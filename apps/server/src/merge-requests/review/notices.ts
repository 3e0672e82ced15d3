import { mentionsIn, type ReviewEvent } from '@bottega/contract';
import type { Trx } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import { excerptOf, notify } from '../../notifications/index.ts';
import * as rows from '../state/index.ts';

type Said = { threadId: string; commentId: string; authorId: string; body: string };

/**
 * Notifies members whom the comment mentions, and then the author of the request and everybody who wrote in the thread
 * before. Nobody gets two notifications for one comment.
 */
export async function notifyOfComment(
  trx: Trx,
  row: rows.RequestRow,
  { threadId, commentId, authorId, body }: Said,
  cause: Cause,
): Promise<void> {
  const said = { authorId, text: { id: commentId, threadId, body }, names: mentionsIn(body) };
  const mentioned = await rows.notifyOfMentions(trx, row, said, cause);
  const others = [row.author_id, ...(await rows.authorsIn(trx, threadId))];
  const to = others.filter((id) => id !== null && !mentioned.includes(id));
  const { project_id: projectId, number, title } = row;
  const data = { number, title, thread_id: threadId, excerpt: excerptOf(body) };
  await notify(trx, { type: 'merge_request_comment', to, projectId, actorId: authorId, data }, cause);
}

type Submitted = {
  reviewId: string;
  event: ReviewEvent;
  authorId: string;
  body: string;
  /** The comments that the review sends. */
  comments: readonly rows.Text[];
};

/** Notifies the author of the request of the verdict, and members whom the review or one of its comments mentions. */
export async function notifyOfReview(
  trx: Trx,
  row: rows.RequestRow,
  { reviewId, event, authorId, body, comments }: Submitted,
  cause: Cause,
): Promise<void> {
  const { project_id: projectId, number, title, author_id } = row;
  const data = { number, title, event, excerpt: excerptOf(body) };
  await notify(trx, { type: 'review_submitted', to: [author_id], projectId, actorId: authorId, data }, cause);
  const texts = [{ id: reviewId, body }, ...comments];
  await rows.notifyOfManyMentions(trx, row, { authorId, texts, except: [author_id] }, cause);
}
