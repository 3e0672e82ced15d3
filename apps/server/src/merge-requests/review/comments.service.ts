import { newMentionsIn, type ReviewComment } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { forbidden, notFound, type Principal } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import { permissionsOf } from '../../projects/access/index.ts';
import { readableProject } from '../../projects/index.ts';
import * as rows from '../state/index.ts';
import { type Around, commenting, mustFindThread, mustHaveRoom } from './commenting.ts';

type Comment = { commentId: string };

export async function changeComment(
  db: Db,
  principal: Principal,
  row: rows.RequestRow,
  { commentId, body }: Comment & { body: string },
  around: Around,
): Promise<ReviewComment> {
  const { userId } = principal;
  const found = await mustFindComment(db, row, commentId, userId);
  if (found.author_id !== userId) throw forbidden('Only the author can change a comment');
  return commenting(db, principal, row, async (trx, project) => {
    const bytes = Buffer.byteLength(body) - Buffer.byteLength(found.body);
    await mustHaveRoom(trx, row, { comments: 0, bytes });
    await rows.changeComment(trx, commentId, body);
    const thread = await mustFindThread(trx, row, found.thread_id, userId);
    const comment = commentIn(thread, commentId);
    if (comment.draft) return comment;
    const told = { action: 'edited', thread, comment, authorId: userId } as const;
    await rows.tellComment(trx, row, told, { project, ...around });
    const text = { id: commentId, threadId: thread.id, body };
    const names = newMentionsIn(body, found.body);
    await rows.notifyOfMentions(trx, row, { authorId: userId, text, names }, around.cause);
    return comment;
  });
}

export async function deleteComment(
  db: Db,
  principal: Principal,
  row: rows.RequestRow,
  { commentId }: Comment,
  around: Around,
): Promise<void> {
  const { userId } = principal;
  const comment = await mustFindComment(db, row, commentId, userId);
  const readable = await readableProject(db, row.project_id, userId);
  const isAllowed = comment.author_id === userId || permissionsOf(readable, userId).includes('manage');
  if (!isAllowed) throw forbidden('Only the author of a comment and admins of the project can delete the comment');
  await commenting(db, principal, row, async (trx, project) => {
    const thread = await mustFindThread(trx, row, comment.thread_id, userId);
    const { draft } = commentIn(thread, commentId);
    await rows.deleteComment(trx, commentId);
    await rows.deleteThreadWithoutComments(trx, thread.id);
    const told = { action: 'deleted', thread, comment: { id: commentId }, authorId: userId } as const;
    if (!draft) await rows.tellComment(trx, row, told, { project, ...around });
  });
}

export function commentIn({ comments }: rows.ThreadRow, id: string): ReviewComment {
  const comment = comments.find((one) => one.id === id);
  if (!comment) throw notFound('Comment');
  return rows.commentView(comment);
}

/** Finds a comment. For anybody but its author, a draft does not exist. */
async function mustFindComment(db: Db, row: rows.Which, id: string, userId: string): Promise<rows.StoredComment> {
  const comment = isId('mrc', id) ? await rows.findComment(db, row, id) : undefined;
  if (!comment || (comment.draft && comment.author_id !== userId)) throw notFound('Comment');
  return comment;
}
