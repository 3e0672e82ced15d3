import { CommentQuery, CreateComment, SessionComment, SessionCommentList, UpdateComment } from '@bottega/contract';
import type { preHandlerAsyncHookHandler } from 'fastify';
import { Type } from 'typebox';
import { principalOf } from '../../foundation/http/guard.ts';
import { createOnce, type Once } from '../../foundation/http/idempotency.ts';
import type { Principal } from '../../foundation/http/principal.ts';
import type { App } from '../../foundation/http/typed-app.ts';
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

const tags = ['Collaboration'];
const ofSession = Type.Object({ session_id: Type.String() });
const ofComment = Type.Object({ session_id: Type.String(), comment_id: Type.String() });

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

  app.post(
    '/collaboration/sessions/:session_id/comments',
    {
      config: { access: 'write:collaboration' },
      preHandler,
      schema: {
        tags,
        summary: 'Comment on a place in a file',
        params: ofSession,
        body: CreateComment,
        response: { 201: SessionComment },
      },
    },
    async (request, reply) => {
      const access = await sessionAccess(principalOf(request), request.params.session_id);
      const prepared = await prepareComment(comments, access, request.body);
      const comment = await createOnce(once, request, reply, (trx) => createComment(trx, comments, access, prepared));
      if (!reply.hasHeader('idempotency-replayed')) tellOfComment(texts, access, comment);
      return comment;
    },
  );

  app.get(
    '/collaboration/sessions/:session_id/comments',
    {
      config: { access: 'read:collaboration' },
      preHandler,
      schema: {
        tags,
        summary: 'List the comments of a session, oldest first',
        params: ofSession,
        querystring: CommentQuery,
        response: { 200: SessionCommentList },
      },
    },
    async (request) => {
      const access = await sessionAccess(principalOf(request), request.params.session_id);
      return listComments(comments, access, request.query);
    },
  );

  app.get(
    '/collaboration/sessions/:session_id/comments/:comment_id',
    {
      config: { access: 'read:collaboration' },
      preHandler,
      schema: { tags, summary: 'Read a comment', params: ofComment, response: { 200: SessionComment } },
    },
    async (request) => {
      const access = await sessionAccess(principalOf(request), request.params.session_id);
      return readComment(comments, access, request.params.comment_id);
    },
  );

  app.patch(
    '/collaboration/sessions/:session_id/comments/:comment_id',
    {
      config: { access: 'write:collaboration' },
      preHandler,
      schema: {
        tags,
        summary: 'Change one’s own comment, or resolve any',
        params: ofComment,
        body: UpdateComment,
        response: { 200: SessionComment },
      },
    },
    async (request) => {
      const access = await sessionAccess(principalOf(request), request.params.session_id);
      return changeComment(comments, access, request.params.comment_id, request.body);
    },
  );

  app.delete(
    '/collaboration/sessions/:session_id/comments/:comment_id',
    {
      config: { access: 'write:collaboration' },
      preHandler,
      schema: {
        tags,
        summary: 'Delete a comment and its replies',
        params: ofComment,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const access = await sessionAccess(principalOf(request), request.params.session_id);
      await removeComment(comments, access, request.params.comment_id);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/collaboration/sessions/:session_id/comments/:comment_id/apply',
    {
      config: { access: 'write:collaboration' },
      preHandler,
      schema: {
        tags,
        summary: 'Put what a comment suggests into the text',
        params: ofComment,
        response: { 200: SessionComment },
      },
    },
    async (request) => {
      const access = await sessionAccess(principalOf(request), request.params.session_id);
      return applySuggestion(comments, access, request.params.comment_id);
    },
  );
}
