import { CreateComment } from '@bottega/contract';
import { transaction } from '../../foundation/db/index.ts';
import { causeOfRun } from '../../foundation/http/index.ts';
import { validationError } from '../../foundation/http/request/validation.ts';
import { createValidators } from '../../foundation/http/request/validator.ts';
import type { LivePeer } from '../texts/index.ts';
import { type Comments, createComment, prepareComment, tellOfComment } from './comments.service.ts';

const isComment = createValidators()<CreateComment>(CreateComment);

/**
 * Creates a comment in the same way as the REST route. The socket has already checked the session, and the peer knows
 * the user's rights.
 */
export async function commentBySocket(comments: Comments, peer: LivePeer, comment: unknown): Promise<void> {
  if (!isComment(comment)) throw validationError(isComment.errors ?? [], 'body', comment);
  const access = {
    sessionId: peer.sessionId,
    projectId: peer.projectId,
    branch: peer.branch,
    userId: peer.user.id,
    username: peer.user.username,
    may: (right: 'read' | 'write' | 'comment' | 'admin') => right !== 'admin' && peer.may(right),
  };
  const prepared = await prepareComment(comments, access, comment);
  const made = await transaction(comments.db, (trx) =>
    createComment(trx, comments, access, prepared, causeOfRun(peer.user.id)),
  );
  tellOfComment(comments.texts, made, 'comment_created');
}
