import { BrowserSessionList, CurrentSession, SignIn } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { unauthenticated } from '../../foundation/http/app-error.ts';
import { causeOf } from '../../foundation/http/cause.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import { trimming } from '../../foundation/http/trimming.ts';
import type { App } from '../../foundation/http/typed-app.ts';
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

const tags = ['Sessions'];
const session = { access: 'session' } as const;

export function sessionRoutes(app: App, accounts: Accounts): void {
  const { publicUrl, credentialsChanged } = accounts;

  app.post(
    '/auth/sign-in',
    {
      config: { access: 'public' },
      preValidation: trimming('email'),
      preHandler: fromOwnPage(accounts.origins),
      schema: {
        tags,
        summary: 'Sign in with a password; sets the cookie of a session',
        body: SignIn,
        response: { 200: CurrentSession },
      },
    },
    async (request, reply) => {
      const opened = await signIn(accounts, request.body, anonymousCause(request));
      const { expires_at: expiresAt } = opened.signIn;
      reply.header('set-cookie', sessionCookie(opened.value, { publicUrl: publicUrl(), expiresAt }));
      return asCurrentSession(opened, publicUrl());
    },
  );

  app.post(
    '/auth/sign-out',
    { config: session, schema: { tags, summary: 'End this session', response: { 204: Type.Null() } } },
    async (request, reply) => {
      await signOut(accounts, principalOf(request), causeOf(request)).finally(credentialsChanged);
      return reply.code(204).header('set-cookie', clearedSessionCookie(publicUrl())).send(null);
    },
  );

  app.get(
    '/auth/session',
    {
      config: session,
      schema: { tags, summary: 'Who is signed in here, and the CSRF token', response: { 200: CurrentSession } },
    },
    (request) => readCurrentSession(accounts, principalOf(request), cookieOf(request)),
  );

  app.get(
    '/auth/sessions',
    {
      config: session,
      schema: { tags, summary: 'List the sessions of your account', response: { 200: BrowserSessionList } },
    },
    async (request) => ({ data: await listSessions(accounts, principalOf(request)) }),
  );

  app.delete(
    '/auth/sessions',
    { config: session, schema: { tags, summary: 'End all sessions but this one', response: { 204: Type.Null() } } },
    async (request, reply) => {
      await revokeOtherSessions(accounts, principalOf(request), causeOf(request)).finally(credentialsChanged);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/auth/sessions/:session_id',
    {
      config: session,
      schema: {
        tags,
        summary: 'End a session',
        params: Type.Object({ session_id: Type.String() }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { session_id: id } = request.params;
      await revokeSession(accounts, principalOf(request), id, causeOf(request)).finally(credentialsChanged);
      return reply.code(204).send(null);
    },
  );

  function cookieOf(request: FastifyRequest): string {
    const value = sessionValueOf(request.headers.cookie, publicUrl());
    if (value === null) throw unauthenticated('The session has ended; sign in again');
    return value;
  }
}
