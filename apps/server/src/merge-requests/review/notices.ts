import type { ReviewEvent } from '@bottega/contract';
import type { Trx } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import { notify } from '../../notifications/index.ts';
import * as rows from '../state/index.ts';

const longestExcerpt = 140;
const excerptOf = (body: string): string => body.replace(/\s+/g, ' ').slice(0, longestExcerpt);

type Said = { threadId: string; authorId: string; body: string };

/** Notifies the author of the request, and everybody who wrote in the thread before. */
export async function notifyOfComment(
  trx: Trx,
  row: rows.RequestRow,
  { threadId, authorId, body }: Said,
  cause: Cause,
): Promise<void> {
  const to = [row.author_id, ...(await rows.authorsIn(trx, threadId))];
  const { project_id: projectId, number, title } = row;
  const data = { number, title, thread_id: threadId, excerpt: excerptOf(body) };
  await notify(trx, { type: 'merge_request_comment', to, projectId, actorId: authorId, data }, cause);
}

export async function notifyOfReview(
  trx: Trx,
  { project_id: projectId, number, title, author_id }: rows.RequestRow,
  { event, authorId, body }: { event: ReviewEvent; authorId: string; body: string },
  cause: Cause,
): Promise<void> {
  const data = { number, title, event, excerpt: excerptOf(body) };
  await notify(trx, { type: 'review_submitted', to: [author_id], projectId, actorId: authorId, data }, cause);
}
