import { routes } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import { type App, causeOf, handle, principalOf, trimming, unauthenticated } from '../../foundation/http/index.ts';
import { clearedSessionCookie, sessionCookie, sessionValueOf } from '../auth/index.ts';
import type { Accounts } from './accounts.ts';
import { anonymousCause, fromOwnPage } from './own-page.ts';
import {
  asCurrentSession,
  listSessions,
  readCurrentSession,
  revokeOtherSessions,
  revokeSession,
  signOut,
} from './sessions.service.ts';
import { signIn } from './sign-in.service.ts';

export function sessionRoutes(app: App, accounts: Accounts): void {
  const { publicUrl } = accounts;

  handle(
    app,
    routes.signIn,
    { preValidation: trimming('email'), preHandler: fromOwnPage(accounts.origins) },
    async (request, reply) => {
      const opened = await signIn(accounts, request.body, anonymousCause(request));
      const { expires_at: expiresAt } = opened.signIn;
      reply.header('set-cookie', sessionCookie(opened.value, { publicUrl: publicUrl(), expiresAt }));
      return asCurrentSession(opened, publicUrl());
    },
  );

  handle(app, routes.signOut, async (request, reply) => {
    await signOut(accounts, principalOf(request), causeOf(request));
    reply.header('set-cookie', clearedSessionCookie(publicUrl()));
  });

  handle(app, routes.readCurrentSession, (request) =>
    readCurrentSession(accounts, principalOf(request), cookieOf(request)),
  );

  handle(app, routes.listSignInSessions, async (request) => ({
    data: await listSessions(accounts, principalOf(request)),
  }));

  handle(app, routes.endOtherSignInSessions, (request) =>
    revokeOtherSessions(accounts, principalOf(request), causeOf(request)),
  );

  handle(app, routes.endSignInSession, async (request) => {
    const { session_id: id } = request.params;
    await revokeSession(accounts, principalOf(request), id, causeOf(request));
  });

  function cookieOf(request: FastifyRequest): string {
    const value = sessionValueOf(request.headers.cookie, publicUrl());
    if (value === null) throw unauthenticated('The session has ended; sign in again');
    return value;
  }
}
