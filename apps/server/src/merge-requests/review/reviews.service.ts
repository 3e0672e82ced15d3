import type { Review, SubmitReview } from '@bottega/contract';
import type { Db, Queries, Trx } from '../../foundation/db/index.ts';
import { conflict, forbidden, invalid, type Principal } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import * as rows from '../state/index.ts';
import { type Around, lockForComment, mustHaveRoom } from './commenting.ts';
import { notifyOfReview } from './notices.ts';
import { originOf } from './origins.service.ts';
import { patchIdOf } from './patch-id.ts';
import type { FindVersion } from './places.service.ts';
import { addThread } from './threads.service.ts';

/** The patch id of the newest version. It is computed once and then stored. */
export async function newestPatchId(db: Queries, row: rows.RequestRow, findVersion: FindVersion): Promise<Buffer> {
  const version = await findVersion(row.version);
  if (version.patch_id) return version.patch_id;
  const patchId = await patchIdOf(db, row.project_id, { from: version.merge_base_sha, to: version.head_sha });
  // Without a merge base, the id is not stored, because git may not have looked for the base yet.
  if (version.merge_base_sha) await rows.notePatchId(db, row, row.version, patchId);
  return patchId;
}

/**
 * The reviews that count for the newest version. This function does not start git, so it may be called while the
 * project is locked. The merge base must have been found before, because no approval counts without it.
 */
export async function holdingReviews(db: Queries, row: rows.RequestRow): Promise<rows.Verdict[]> {
  const reviews = await rows.listVerdicts(db, row);
  const version = reviews.length > 0 ? await rows.findVersion(db, row, row.version) : undefined;
  return version ? [...holdingOf(reviews, await newestPatchId(db, row, async () => version))] : [];
}

export async function listReviews(db: Db, row: rows.RequestRow, findVersion: FindVersion): Promise<Review[]> {
  const reviews = await rows.listReviews(db, row);
  const holding = reviews.length > 0 ? holdingOf(reviews, await newestPatchId(db, row, findVersion)) : new Set();
  return reviews.map((review) => rows.reviewView(review, holding.has(review)));
}

/**
 * The verdicts that count: the last one of each person. An approval counts as long as the change stays the same: a
 * clean rebase keeps it, and a changed line ends it. A request for changes counts until the same person reviews again.
 */
export function holdingOf<One extends rows.Verdict>(reviews: readonly One[], patchId: Buffer): Set<One> {
  const last = new Map<string, One>();
  for (const review of reviews) if (review.event !== 'COMMENT' && review.author_id) last.set(review.author_id, review);
  return new Set([...last.values()].filter((one) => one.event === 'REQUEST_CHANGES' || one.patch_id.equals(patchId)));
}

export type Prepared = { input: SubmitReview; patchId: Buffer; origins: { body: string; origin: rows.Origin }[] };

/** Reads everything that a review needs before its transaction begins. */
export async function prepareReview(
  db: Db,
  { userId }: Principal,
  row: rows.RequestRow,
  input: SubmitReview,
  findVersion: FindVersion,
): Promise<Prepared> {
  const { event, head_sha, body = '', comments = [] } = input;
  if (row.state !== 'open') throw conflict(`The merge request is ${row.state}`);
  if (event === 'APPROVE' && row.author_id === userId) throw forbidden('Authors cannot approve their own requests');
  if (head_sha !== undefined && head_sha !== row.head_sha.toString('hex')) {
    throw conflict(
      'The merge request has a newer version than the one that was reviewed; look at the newer version first',
    );
  }
  if (event === 'COMMENT' && body.trim() === '' && comments.length === 0) await mustHaveDrafts(db, row, userId);
  const origins = [];
  for (const [index, comment] of comments.entries()) {
    const origin = await originOf(db, row, findVersion, comment, `comments.${index}.`);
    origins.push({ body: comment.body, origin });
  }
  return { input, patchId: await newestPatchId(db, row, findVersion), origins };
}

async function mustHaveDrafts(db: Db, row: rows.RequestRow, userId: string): Promise<void> {
  const threads = await rows.listThreads(db, row, userId);
  const hasDrafts = threads.some(({ comments }) => comments.some(({ draft }) => draft));
  if (!hasDrafts) throw invalid('body', 'must not be empty, because the review has no comments');
}

/** Submits a review. Its verdict, its new threads and the author's drafts become visible at once. */
export async function submitReview(
  trx: Trx,
  { userId }: Principal,
  row: rows.RequestRow,
  { input, patchId, origins }: Prepared,
  { publicUrl, cause }: Around,
): Promise<Review> {
  const project = await lockForComment(trx, row, userId);
  const drafts = (await rows.sendDrafts(trx, row, userId)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const comments: rows.Text[] = drafts.map(({ thread_id, ...comment }) => ({ ...comment, threadId: thread_id }));
  for (const { body, origin } of origins) comments.push(await addThread(trx, userId, row, { input: { body }, origin }));
  const { event, body = '' } = input;
  await mustHaveRoom(trx, row, { comments: body === '' ? 0 : 1, reviews: 1, bytes: Buffer.byteLength(body) });
  const id = newId('mrr');
  await rows.insertReview(trx, row, { id, authorId: userId, event, body, version: row.version, patch_id: patchId });
  const review = (await rows.listReviews(trx, row)).find((one) => one.id === id);
  if (!review) throw new Error('a review is gone in the transaction that made it');
  if (row.queue) await rows.wantQueue(trx, row.project_id, row.target);
  await rows.tellReview(trx, row, review, { project, publicUrl, cause });
  await notifyOfReview(trx, row, { reviewId: id, event, authorId: userId, body, comments }, cause);
  return rows.reviewView(review, event !== 'COMMENT');
}
