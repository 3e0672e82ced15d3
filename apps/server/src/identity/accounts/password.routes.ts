import { routes } from '@bottega/contract';
import { type App, causeOf, handle, principalOf, trimming } from '../../foundation/http/index.ts';
import { sessionCookie } from '../auth/index.ts';
import type { Accounts } from './accounts.ts';
import { anonymousCause, fromOwnPage } from './own-page.ts';
import { mustBeGoodPassword } from './password.policy.ts';
import { changePassword, requestReset, resetPassword } from './password.service.ts';
import { asCurrentSession } from './sessions.service.ts';

export function passwordRoutes(app: App, accounts: Accounts): void {
  const { publicUrl } = accounts;
  const preHandler = fromOwnPage(accounts.origins);

  const checksOf = (field: 'new_password' | 'password') => () => ({
    [field]: (password: string) => mustBeGoodPassword(field, password, { email: '' }),
  });
  handle(app, routes.changePassword, { checks: checksOf('new_password') }, async (request, reply) => {
    const opened = await changePassword(accounts, principalOf(request), request.body, causeOf(request));
    const { expires_at: expiresAt } = opened.signIn;
    reply.header('set-cookie', sessionCookie(opened.value, { publicUrl: publicUrl(), expiresAt }));
    return asCurrentSession(opened, publicUrl());
  });

  handle(app, routes.requestPasswordReset, { preValidation: trimming('email'), preHandler }, async (request) => {
    await requestReset(accounts, request.body.email, anonymousCause(request));
    return { message: 'If an account with this address exists, a link has been sent' };
  });

  handle(app, routes.resetPassword, { preHandler, checks: checksOf('password') }, (request) =>
    resetPassword(accounts, request.body, anonymousCause(request)),
  );
}
