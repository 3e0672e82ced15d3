import type { ChangeThread, CreateReply, CreateThread, ReviewComment, ReviewThread } from '@bottega/contract';
import type { Db, Trx } from '../../foundation/db/index.ts';
import { type Cause, conflict, forbidden, notFound, type Principal } from '../../foundation/http/index.ts';
import { isId, newId } from '../../foundation/ids.ts';
import { permissionsOf } from '../../projects/access/index.ts';
import { readableProject } from '../../projects/index.ts';
import * as rows from '../state/index.ts';
import { commenting, lockForComment, mustHaveRoom } from './commenting.ts';
import { notifyOfComment } from './notices.ts';
import { type FindVersion, placeThreads } from './places.service.ts';

/** The threads that somebody may see, each where its lines are now. */
export async function listThreads(
  db: Db,
  { userId }: Principal,
  row: rows.RequestRow,
  findVersion: FindVersion,
): Promise<ReviewThread[]> {
  const threads = await rows.listThreads(db, row, userId);
  return (await placeThreads(db, row, threads, findVersion)).map(rows.threadView);
}

type Told = { cause: Cause };
type New = { input: Pick<CreateThread, 'body' | 'draft'>; origin: rows.Origin };

export async function createThread(
  trx: Trx,
  { userId }: Principal,
  row: rows.RequestRow,
  { input, origin }: New,
  { cause }: Told,
): Promise<ReviewThread> {
  await lockForComment(trx, row, userId);
  const id = await addThread(trx, userId, row, { input, origin });
  const thread = await mustFind(trx, row, id, userId);
  if (!input.draft) await notifyOfComment(trx, row, { threadId: id, authorId: userId, body: input.body }, cause);
  return rows.threadView(thread);
}

/** The project is locked. Returns the thread's id. */
export async function addThread(trx: Trx, userId: string, row: rows.Which, { input, origin }: New): Promise<string> {
  const { body, draft = false } = input;
  await mustHaveRoom(trx, row, [body]);
  const id = newId('mrt');
  await rows.insertThread(trx, row, id, origin);
  await rows.insertComment(trx, row, { id: newId('mrc'), threadId: id, authorId: userId, body, draft });
  return id;
}

export async function reply(
  trx: Trx,
  { userId }: Principal,
  row: rows.RequestRow,
  { threadId, input }: { threadId: string; input: CreateReply },
  { cause }: Told,
): Promise<ReviewComment> {
  await lockForComment(trx, row, userId);
  const thread = await mustFind(trx, row, threadId, userId);
  const { body, draft = false } = input;
  await mustHaveRoom(trx, row, [body]);
  const id = newId('mrc');
  await rows.insertComment(trx, row, { id, threadId: thread.id, authorId: userId, body, draft });
  if (!draft) await notifyOfComment(trx, row, { threadId, authorId: userId, body }, cause);
  return commentIn(await mustFind(trx, row, threadId, userId), id);
}

export const resolveThread = (
  db: Db,
  principal: Principal,
  row: rows.RequestRow,
  { threadId, input }: { threadId: string; input: ChangeThread },
): Promise<ReviewThread> =>
  commenting(db, principal, row, async (trx) => {
    const thread = await mustFind(trx, row, threadId, principal.userId);
    if (thread.comments.every(({ draft }) => draft)) throw conflict('The thread is a draft; submit your review first');
    const isResolved = thread.resolved_at !== null;
    if (isResolved !== input.resolved) await rows.noteResolved(trx, threadId, input.resolved ? principal.userId : null);
    return rows.threadView(await mustFind(trx, row, threadId, principal.userId));
  });

type Comment = { commentId: string };

export async function changeComment(
  db: Db,
  principal: Principal,
  row: rows.RequestRow,
  { commentId, body }: Comment & { body: string },
): Promise<ReviewComment> {
  const { userId } = principal;
  const comment = await mustFindComment(db, row, commentId, userId);
  if (comment.author_id !== userId) throw forbidden('Only its author can change a comment');
  return commenting(db, principal, row, async (trx) => {
    await mustHaveRoom(trx, row, [body]);
    await rows.changeComment(trx, commentId, body);
    return commentIn(await mustFind(trx, row, comment.thread_id, userId), commentId);
  });
}

export async function deleteComment(
  db: Db,
  principal: Principal,
  row: rows.RequestRow,
  { commentId }: Comment,
): Promise<void> {
  const { userId } = principal;
  const comment = await mustFindComment(db, row, commentId, userId);
  const project = await readableProject(db, row.project_id, userId);
  const isAllowed = comment.author_id === userId || permissionsOf(project, userId).includes('manage');
  if (!isAllowed) throw forbidden('Only its author and admins of the project can delete a comment');
  await commenting(db, principal, row, async (trx) => {
    await rows.deleteComment(trx, commentId);
    await rows.deleteThreadWithoutComments(trx, comment.thread_id);
  });
}

const commentIn = ({ comments }: rows.ThreadRow, id: string): ReviewComment => {
  const comment = comments.find((one) => one.id === id);
  if (!comment) throw notFound('Comment');
  return rows.commentView(comment);
};

async function mustFind(trx: Trx, row: rows.Which, id: string, userId: string): Promise<rows.ThreadRow> {
  const thread = isId('mrt', id) ? await rows.findThread(trx, row, id, userId) : undefined;
  if (!thread) throw notFound('Thread');
  return thread;
}

/** A draft exists only for its author. */
async function mustFindComment(db: Db, row: rows.Which, id: string, userId: string): Promise<rows.StoredComment> {
  const comment = isId('mrc', id) ? await rows.findComment(db, row, id) : undefined;
  if (!comment || (comment.draft && comment.author_id !== userId)) throw notFound('Comment');
  return comment;
}
