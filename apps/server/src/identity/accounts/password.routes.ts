import { Accepted, ChangePassword, CurrentSession, EmailOnly, ResetPassword } from '@bottega/contract';
import { Type } from 'typebox';
import { causeOf } from '../../foundation/http/cause.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import { trimming } from '../../foundation/http/trimming.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import { sessionCookie } from '../auth/index.ts';
import type { Accounts } from './accounts.ts';
import { anonymousCause, fromOwnPage } from './own-page.ts';
import { changePassword, requestReset, resetPassword } from './password.service.ts';
import { asCurrentSession } from './sessions.service.ts';

const tags = ['Account'];

export function passwordRoutes(app: App, accounts: Accounts): void {
  const { publicUrl, credentialsChanged } = accounts;
  const preHandler = fromOwnPage(accounts.origins);

  app.post(
    '/auth/password',
    {
      config: { access: 'session' },
      schema: {
        tags,
        summary:
          'Change your password; all other sessions end, and with `revoke_credentials` keys, services and apps too',
        body: ChangePassword,
        response: { 200: CurrentSession },
      },
    },
    async (request, reply) => {
      const change = changePassword(accounts, principalOf(request), request.body, causeOf(request));
      const opened = await change.finally(credentialsChanged);
      const { expires_at: expiresAt } = opened.signIn;
      reply.header('set-cookie', sessionCookie(opened.value, { publicUrl: publicUrl(), expiresAt }));
      return asCurrentSession(opened, publicUrl());
    },
  );

  app.post(
    '/auth/password/forgot',
    {
      config: { access: 'public' },
      preValidation: trimming('email'),
      preHandler,
      schema: {
        tags,
        summary: 'Have a link to set a new password mailed',
        body: EmailOnly,
        response: { 202: Accepted },
      },
    },
    async (request, reply) => {
      await requestReset(accounts, request.body.email, anonymousCause(request));
      return reply.code(202).send({ message: 'If there is an account with this address, a link is on its way' });
    },
  );

  app.post(
    '/auth/password/reset',
    {
      config: { access: 'public' },
      preHandler,
      schema: {
        tags,
        summary:
          'Set a new password by the mailed token; all sessions end, and with `revoke_credentials` keys, services and apps too',
        body: ResetPassword,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await resetPassword(accounts, request.body, anonymousCause(request)).finally(credentialsChanged);
      return reply.code(204).send(null);
    },
  );
}
