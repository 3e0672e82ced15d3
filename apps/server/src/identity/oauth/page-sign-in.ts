import type { FastifyReply, FastifyRequest } from 'fastify';
import { asAppError } from '../../foundation/http/request/errors.ts';
import type { Accounts } from '../accounts/index.ts';
import { sessionCookie } from '../auth/index.ts';
import * as steps from './interaction.service.ts';

export type ShownSignIn = { email: string; problem: string | null; needsCode: boolean };

/** Sets the cookie of a new session, or returns what to show on the page. */
export async function trySignIn(
  accounts: Accounts,
  form: URLSearchParams,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<{ userId: string; shown: null } | { shown: ShownSignIn }> {
  try {
    const { value, signIn, user } = await steps.signInByForm(accounts, form, request);
    const life = { publicUrl: accounts.publicUrl(), expiresAt: signIn.expires_at };
    reply.header('set-cookie', sessionCookie(value, life));
    return { userId: user.id, shown: null };
  } catch (error) {
    const known = asAppError(error);
    const { 'retry-after': wait } = known.headers;
    if (known.status >= 500 && known.status !== 503) throw error;
    if (wait) reply.header('retry-after', wait);
    const needsCode = steps.needsSecondFactor(known) || form.has('code');
    reply.code(known.status);
    return { shown: { email: form.get('email') ?? '', problem: known.message, needsCode } };
  }
}
