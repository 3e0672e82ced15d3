import { routes, type SignUp } from '@bottega/contract';
import {
  type App,
  causeOf,
  createOnce,
  handle,
  type Once,
  principalOf,
  trimming,
} from '../../foundation/http/index.ts';
import { clearedSessionCookie, sessionCookie } from '../auth/index.ts';
import type { Accounts } from './accounts.ts';
import { deleteAccount } from './delete-account.service.ts';
import { anonymousCause, fromOwnPage } from './own-page.ts';
import { mustBeGoodPassword } from './password.policy.ts';
import { asCurrentSession } from './sessions.service.ts';
import { isSignUpOpen, prepareSignUp, resendVerification, signUp, verifyEmail } from './sign-up.service.ts';

export function accountRoutes(app: App, accounts: Accounts & Once): void {
  const { publicUrl, mailer } = accounts;
  const preHandler = fromOwnPage(accounts.origins);

  handle(app, routes.readAuthOptions, async () => ({
    sign_up: isSignUpOpen(accounts),
    email_verification: mailer.isSetUp,
  }));

  const checks = () => ({
    password: (password: string, { email = '', name = '' }: Partial<SignUp>) =>
      mustBeGoodPassword('password', password, { email, name }),
  });
  handle(
    app,
    routes.signUp,
    { preValidation: trimming('email', 'name'), preHandler, checks },
    async (request, reply) => {
      const cause = anonymousCause(request);
      const hashed = await prepareSignUp(accounts, request.body, cause);
      const { email } = hashed;
      // The cookie's value is stored with the response, so that a replay signs the user in like the first request.
      const signedUp = await createOnce(
        accounts,
        request,
        reply,
        async (trx) => {
          const opened = await signUp(trx, accounts, hashed, cause);
          return opened && { value: opened.value, session: asCurrentSession(opened, publicUrl()) };
        },
        { email, password: request.body.password },
      );
      if (!signedUp) return { email, verification_required: true, session: null };
      const { value, session } = signedUp;
      const expiresAt = new Date(session.expires_at);
      reply.header('set-cookie', sessionCookie(value, { publicUrl: publicUrl(), expiresAt }));
      return { email, verification_required: false, session };
    },
  );

  handle(app, routes.verifyEmail, { preHandler }, async (request) => {
    const { email, verifiedAt } = await verifyEmail(accounts, request.body.token, anonymousCause(request));
    return { email, verified_at: verifiedAt.toISOString() };
  });

  handle(app, routes.resendVerification, { preValidation: trimming('email'), preHandler }, async (request) => {
    await resendVerification(accounts, request.body.email, anonymousCause(request));
    return { message: 'If this address needs to be confirmed, a link has been sent' };
  });

  handle(app, routes.deleteAccount, async (request, reply) => {
    const deletion = deleteAccount(accounts, principalOf(request), request.body, causeOf(request));
    const deletedAt = await deletion;
    reply.header('set-cookie', clearedSessionCookie(publicUrl()));
    return { message: 'The account was deleted with its projects', deleted_at: deletedAt.toISOString() };
  });
}
