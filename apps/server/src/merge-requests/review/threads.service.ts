import type { ChangeThread, CreateReply, CreateThread, ReviewComment, ReviewThread } from '@bottega/contract';
import type { Db, Trx } from '../../foundation/db/index.ts';
import { conflict, type Principal } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import * as rows from '../state/index.ts';
import { type Around, commenting, lockForComment, mustFindThread, mustHaveRoom } from './commenting.ts';
import { commentIn } from './comments.service.ts';
import { notifyOfComment } from './notices.ts';
import { type FindVersion, placeThreads } from './places.service.ts';

/** The threads that the user may see, each with the present place of its lines. */
export async function listThreads(
  db: Db,
  { userId }: Principal,
  row: rows.RequestRow,
  findVersion: FindVersion,
): Promise<ReviewThread[]> {
  const threads = await rows.listThreads(db, row, userId);
  return (await placeThreads(db, row, threads, findVersion)).map(rows.threadView);
}

type New = { input: Pick<CreateThread, 'body' | 'draft'>; origin: rows.Origin };

export async function createThread(
  trx: Trx,
  { userId }: Principal,
  row: rows.RequestRow,
  { input, origin }: New,
  around: Around,
): Promise<ReviewThread> {
  const project = await lockForComment(trx, row, userId);
  const { threadId, id: commentId } = await addThread(trx, userId, row, { input, origin });
  const thread = await mustFindThread(trx, row, threadId, userId);
  const made = { thread, commentId, authorId: userId };
  if (!input.draft) await tellNew(trx, row, made, { project, ...around });
  return rows.threadView(thread);
}

/** Tells everybody about a comment: the project by an event, and the people whom it concerns by a notification. */
async function tellNew(
  trx: Trx,
  row: rows.RequestRow,
  { thread, commentId, authorId }: { thread: rows.ThreadRow; commentId: string; authorId: string },
  about: rows.About,
): Promise<void> {
  const comment = commentIn(thread, commentId);
  await rows.tellComment(trx, row, { action: 'created', thread, comment, authorId }, about);
  await notifyOfComment(trx, row, { threadId: thread.id, commentId, authorId, body: comment.body }, about.cause);
}

/** Adds a thread, and returns its first comment. The caller has locked the project. */
export async function addThread(
  trx: Trx,
  userId: string,
  row: rows.Which,
  { input, origin }: New,
): Promise<Required<rows.Text>> {
  const { body, draft = false } = input;
  await mustHaveRoom(trx, row, { bytes: Buffer.byteLength(body) });
  const [threadId, id] = [newId('mrt'), newId('mrc')];
  await rows.insertThread(trx, row, threadId, origin);
  await rows.insertComment(trx, row, { id, threadId, authorId: userId, body, draft });
  return { id, threadId, body };
}

export async function reply(
  trx: Trx,
  { userId }: Principal,
  row: rows.RequestRow,
  { threadId, input }: { threadId: string; input: CreateReply },
  around: Around,
): Promise<ReviewComment> {
  const project = await lockForComment(trx, row, userId);
  await mustFindThread(trx, row, threadId, userId);
  const { body, draft = false } = input;
  await mustHaveRoom(trx, row, { bytes: Buffer.byteLength(body) });
  const id = newId('mrc');
  await rows.insertComment(trx, row, { id, threadId, authorId: userId, body, draft });
  const thread = await mustFindThread(trx, row, threadId, userId);
  if (!draft) await tellNew(trx, row, { thread, commentId: id, authorId: userId }, { project, ...around });
  return commentIn(thread, id);
}

export const resolveThread = (
  db: Db,
  principal: Principal,
  row: rows.RequestRow,
  { threadId, input }: { threadId: string; input: ChangeThread },
  around: Around,
): Promise<ReviewThread> =>
  commenting(db, principal, row, async (trx, project) => {
    const { userId } = principal;
    const thread = await mustFindThread(trx, row, threadId, userId);
    if (thread.comments.every(({ draft }) => draft)) throw conflict('The thread is a draft; submit your review first');
    const isResolved = thread.resolved_at !== null;
    if (isResolved === input.resolved) return rows.threadView(thread);
    await rows.noteResolved(trx, threadId, input.resolved ? userId : null);
    const told = { action: input.resolved ? 'resolved' : 'reopened', thread, comment: null, authorId: userId } as const;
    await rows.tellComment(trx, row, told, { project, ...around });
    return rows.threadView(await mustFindThread(trx, row, threadId, userId));
  });
