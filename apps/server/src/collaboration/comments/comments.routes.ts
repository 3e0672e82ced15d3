import { routes } from '@bottega/contract';
import type { preHandlerAsyncHookHandler } from 'fastify';
import { type App, createOnce, handle, type Once, type Principal, principalOf } from '../../foundation/http/index.ts';
import type { SessionAccess } from '../sessions/index.ts';
import {
  applySuggestion,
  type Comments,
  changeComment,
  createComment,
  listComments,
  prepareComment,
  readComment,
  removeComment,
  tellOfComment,
} from './comments.service.ts';

type Options = Once & {
  texts: Comments['texts'];
  /** Who someone is in a session; throws where it is hidden from them, or over. */
  access(principal: Principal, sessionId: string): Promise<Omit<SessionAccess, 'sessionId'>>;
  /** What another node has the texts of is answered there. */
  atOwner: preHandlerAsyncHookHandler;
};

export function commentRoutes(app: App, { texts, access: accessOf, atOwner: preHandler, ...once }: Options): void {
  const sessionAccess = async (principal: Principal, sessionId: string): Promise<SessionAccess> => ({
    sessionId,
    ...(await accessOf(principal, sessionId)),
  });
  const comments: Comments = { db: once.db, texts };

  handle(app, routes.createComment, { preHandler }, async (request, reply) => {
    const access = await sessionAccess(principalOf(request), request.params.session_id);
    const prepared = await prepareComment(comments, access, request.body);
    const comment = await createOnce(once, request, reply, (trx) => createComment(trx, comments, access, prepared));
    if (!reply.hasHeader('idempotency-replayed')) tellOfComment(texts, access, comment);
    return comment;
  });

  handle(app, routes.listComments, { preHandler }, async (request) => {
    const access = await sessionAccess(principalOf(request), request.params.session_id);
    return listComments(comments, access, request.query);
  });

  handle(app, routes.readComment, { preHandler }, async (request) => {
    const access = await sessionAccess(principalOf(request), request.params.session_id);
    return readComment(comments, access, request.params.comment_id);
  });

  handle(app, routes.changeComment, { preHandler }, async (request) => {
    const access = await sessionAccess(principalOf(request), request.params.session_id);
    return changeComment(comments, access, request.params.comment_id, request.body);
  });

  handle(app, routes.removeComment, { preHandler }, async (request) => {
    const access = await sessionAccess(principalOf(request), request.params.session_id);
    await removeComment(comments, access, request.params.comment_id);
  });

  handle(app, routes.applySuggestion, { preHandler }, async (request) => {
    const access = await sessionAccess(principalOf(request), request.params.session_id);
    return applySuggestion(comments, access, { id: request.params.comment_id, requestId: request.id });
  });
}
