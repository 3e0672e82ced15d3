import {
  Accepted,
  AuthOptions,
  ConfirmWithPassword,
  DeletedAccount,
  EmailOnly,
  SignedUp,
  SignUp,
  TokenOnly,
  VerifiedEmail,
} from '@bottega/contract';
import { causeOf } from '../../foundation/http/cause.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import { trimming } from '../../foundation/http/trimming.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import { clearedSessionCookie, sessionCookie } from '../auth/index.ts';
import type { Accounts } from './accounts.ts';
import { deleteAccount } from './delete-account.service.ts';
import { anonymousCause, fromOwnPage } from './own-page.ts';
import { asCurrentSession } from './sessions.service.ts';
import { isSignUpOpen, resendVerification, signUp, verifyEmail } from './sign-up.service.ts';

const tags = ['Account'];
const open = { access: 'public' } as const;

export function accountRoutes(app: App, accounts: Accounts): void {
  const { publicUrl, mailer } = accounts;
  const preHandler = fromOwnPage(accounts.origins);

  app.get(
    '/auth/options',
    {
      config: open,
      schema: { tags, summary: 'What a sign-in page may offer here', response: { 200: AuthOptions } },
    },
    async () => ({ sign_up: isSignUpOpen(accounts), email_verification: mailer.isSetUp }),
  );

  app.post(
    '/auth/sign-up',
    {
      config: open,
      preValidation: trimming('email', 'name'),
      preHandler,
      schema: { tags, summary: 'Make an account', body: SignUp, response: { 201: SignedUp } },
    },
    async (request, reply) => {
      const opened = await signUp(accounts, request.body, anonymousCause(request));
      reply.code(201);
      if (!opened) return { email: request.body.email.toLowerCase(), verification_required: true, session: null };
      const { expires_at: expiresAt } = opened.signIn;
      reply.header('set-cookie', sessionCookie(opened.value, { publicUrl: publicUrl(), expiresAt }));
      return {
        email: opened.user.email,
        verification_required: false,
        session: asCurrentSession(opened, publicUrl()),
      };
    },
  );

  app.post(
    '/auth/verify-email',
    {
      config: open,
      preHandler,
      schema: {
        tags,
        summary: 'Confirm an e-mail address by the token of the mailed link',
        body: TokenOnly,
        response: { 200: VerifiedEmail },
      },
    },
    async (request) => {
      const { email, verifiedAt } = await verifyEmail(accounts, request.body.token, anonymousCause(request));
      return { email, verified_at: verifiedAt.toISOString() };
    },
  );

  app.post(
    '/auth/verify-email/resend',
    {
      config: open,
      preValidation: trimming('email'),
      preHandler,
      schema: { tags, summary: 'Have the link mailed again', body: EmailOnly, response: { 202: Accepted } },
    },
    async (request, reply) => {
      await resendVerification(accounts, request.body.email, anonymousCause(request));
      return reply.code(202).send({ message: 'If this address waits to be confirmed, a link is on its way' });
    },
  );

  app.post(
    '/auth/delete-account',
    {
      config: { access: 'session' },
      schema: {
        tags,
        summary: 'Delete your account and the projects that you own',
        body: ConfirmWithPassword,
        response: { 200: DeletedAccount },
      },
    },
    async (request, reply) => {
      const deletion = deleteAccount(accounts, principalOf(request), request.body, causeOf(request));
      const deletedAt = await deletion.finally(accounts.credentialsChanged);
      reply.header('set-cookie', clearedSessionCookie(publicUrl()));
      return { message: 'The account was deleted with its projects', deleted_at: deletedAt.toISOString() };
    },
  );
}
