import { routes } from '@bottega/contract';
import type { FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import {
  type App,
  causeOf,
  createOnce,
  handle,
  type Once,
  type Principal,
  principalOf,
} from '../../foundation/http/index.ts';
import type { SessionAccess } from '../sessions/index.ts';
import {
  applySuggestion,
  type Comments,
  changeComment,
  commentChecks,
  createComment,
  type Found,
  findParent,
  listComments,
  prepareComment,
  readComment,
  removeComment,
  tellOfComment,
} from './comments.service.ts';
import { asComment } from './comments.view.ts';

type Options = Once & {
  texts: Comments['texts'];
  /** Returns a user's rights in a session. Throws if the session has ended or the user may not see it. */
  access(principal: Principal, sessionId: string): Promise<Omit<SessionAccess, 'sessionId'>>;
  /** Forwards the request if another node has the texts. */
  atOwner: preHandlerAsyncHookHandler;
};

export function commentRoutes(app: App, { texts, access: accessOf, atOwner: preHandler, ...once }: Options): void {
  const sessionAccess = async (principal: Principal, sessionId: string): Promise<SessionAccess> => ({
    sessionId,
    ...(await accessOf(principal, sessionId)),
  });
  const comments: Comments = { db: once.db, texts };
  const shown = ({ row, place }: Found) => asComment(row, place);

  const checks = (request: FastifyRequest) =>
    commentChecks(async (id) => {
      const { session_id: sessionId } = request.params as { session_id: string };
      await findParent(once.db, await sessionAccess(principalOf(request), sessionId), id);
    });
  handle(app, routes.createComment, { preHandler, checks }, async (request, reply) => {
    const access = await sessionAccess(principalOf(request), request.params.session_id);
    const prepared = await prepareComment(comments, access, request.body);
    let made: Found | null = null;
    const comment = await createOnce(once, request, reply, async (trx) => {
      made = await createComment(trx, comments, access, prepared, causeOf(request));
      return shown(made);
    });
    // A replayed response is about a comment that has already been announced.
    if (made && !reply.hasHeader('idempotency-replayed')) tellOfComment(texts, made, 'comment_created');
    return comment;
  });

  handle(app, routes.listComments, { preHandler }, async (request) => {
    const access = await sessionAccess(principalOf(request), request.params.session_id);
    const all = (await listComments(comments, access, request.query)).map(shown);
    return { comments: all, total: all.length };
  });

  handle(app, routes.readComment, { preHandler }, async (request) => {
    const access = await sessionAccess(principalOf(request), request.params.session_id);
    return shown(await readComment(comments, access, request.params.comment_id));
  });

  handle(app, routes.changeComment, { preHandler }, async (request) => {
    const access = await sessionAccess(principalOf(request), request.params.session_id);
    const change = { ...request.body, cause: causeOf(request) };
    return shown(await changeComment(comments, access, request.params.comment_id, change));
  });

  handle(app, routes.removeComment, { preHandler }, async (request) => {
    const access = await sessionAccess(principalOf(request), request.params.session_id);
    await removeComment(comments, access, request.params.comment_id, { cause: causeOf(request) });
  });

  handle(app, routes.applySuggestion, { preHandler }, async (request) => {
    const access = await sessionAccess(principalOf(request), request.params.session_id);
    const applied = { id: request.params.comment_id, requestId: request.id, cause: causeOf(request) };
    return shown(await applySuggestion(comments, access, applied));
  });
}
