import type { SignUp } from '@bottega/contract';
import { appendEvent } from '../../events/index.ts';
import { type Trx, transaction } from '../../foundation/db/index.ts';
import { conflict, forbidden, invalid, type RequestCause } from '../../foundation/http/index.ts';
import { isLoopback } from '../../foundation/http/watching/health.ts';
import { recordAudit } from '../audit/index.ts';
import type { OpenedSession } from '../auth/index.ts';
import {
  addUser,
  findUser,
  findUserByEmail,
  lockAddress,
  markEmailVerified,
  type UserRow,
  userEventData,
} from '../users/index.ts';
import { issueToken, useToken } from './account-tokens.sql.ts';
import * as mails from './accounts.mail.ts';
import type { Accounts } from './accounts.ts';
import { takeRequestAttempt } from './attempts.ts';
import { mustBeGoodPassword } from './password.policy.ts';
import { beginSession } from './sign-in.service.ts';

const verifyHours = 48;

export const isSignUpOpen = ({ signUp, publicUrl }: Pick<Accounts, 'signUp' | 'publicUrl'>): boolean =>
  (signUp ?? (isLoopback(publicUrl()) ? 'on' : 'off')) === 'on';

/**
 * A sign-up with its password already hashed. Hashing waits for its turn, and a transaction must not occupy a database
 * connection meanwhile.
 */
type HashedSignUp = { email: string; name: string; passwordHash: string };

/** Does what must happen before the transaction: checks the input, charges the attempt, and hashes the password. */
export async function prepareSignUp(accounts: Accounts, input: SignUp, cause: RequestCause): Promise<HashedSignUp> {
  if (!isSignUpOpen(accounts)) throw forbidden('Only an administrator can create accounts here');
  const email = input.email.toLowerCase();
  await mustBeGoodPassword('password', input.password, { email, name: input.name });
  await takeRequestAttempt(accounts.db, email, cause.origin.address);
  return { email, name: input.name, passwordHash: await accounts.passwords.hash(input.password) };
}

/**
 * The result of a sign-up. Null if a link was mailed instead, so that only the owner of the mailbox learns whether
 * there was already an account.
 */
type SigningUp = (OpenedSession & { user: UserRow }) | null;

export async function signUp(
  trx: Trx,
  accounts: Accounts,
  hashed: HashedSignUp,
  cause: RequestCause,
): Promise<SigningUp> {
  await lockAddress(trx, hashed.email);
  const former = await findUserByEmail(trx, hashed.email);
  if (former) return whenTaken(trx, accounts, former);
  const plain = { plan: 'free', isAdmin: false, source: 'sign_up', emailVerified: false } as const;
  const user = await addUser(trx, { ...hashed, ...plain }, cause);
  const own = { ...cause, actorId: user.id };
  if (!accounts.mailer.isSetUp) {
    return { ...(await beginSession(trx, accounts, user, { secondFactor: false, cause: own })), user };
  }
  await sendVerification(trx, accounts, user);
  return null;
}

async function whenTaken(trx: Trx, { mailer, publicUrl }: Accounts, former: UserRow): Promise<null> {
  if (!mailer.isSetUp) throw conflict('An account with this address already exists');
  await mailer.send(
    trx,
    { email: former.email, account: former.id },
    mails.alreadyRegistered(former.name, publicUrl()),
  );
  return null;
}

async function sendVerification(trx: Trx, { mailer, publicUrl }: Accounts, user: UserRow): Promise<void> {
  const { token } = await issueToken(trx, { userId: user.id, purpose: 'verify_email', hours: verifyHours });
  await mailer.send(
    trx,
    { email: user.email, account: user.id },
    mails.verifyEmail(user.name, `${publicUrl()}/verify-email#token=${token}`),
  );
}

/** Sends the verification mail again. The response is the same for every address. */
export async function resendVerification(accounts: Accounts, email: string, cause: RequestCause): Promise<void> {
  await takeRequestAttempt(accounts.db, email.toLowerCase(), cause.origin.address);
  await transaction(accounts.db, async (trx) => {
    const user = await findUserByEmail(trx, email.toLowerCase());
    if (user && !user.email_verified_at) await sendVerification(trx, accounts, user);
  });
}

export async function verifyEmail(
  accounts: Accounts,
  token: string,
  cause: RequestCause,
): Promise<{ email: string; verifiedAt: Date }> {
  await takeRequestAttempt(accounts.db, null, cause.origin.address);
  return transaction(accounts.db, async (trx) => {
    const used = await useToken(trx, ['verify_email'], token);
    const before = used && (await findUser(trx, used.user_id));
    const verifiedAt = before ? await markEmailVerified(trx, before.id) : null;
    if (!before || !verifiedAt) throw invalid('token', 'is not valid, was already used, or has expired');
    const own = { ...cause, actorId: before.id };
    const changes = { email_verified_at: { from: null, to: verifiedAt.toISOString() } };
    const data = { ...userEventData(before), changes };
    await appendEvent(trx, { type: 'user.updated', accountId: before.id, projectId: null, data }, own);
    await recordAudit(trx, { action: 'user.email_verified', accountId: before.id }, own);
    return { email: before.email, verifiedAt };
  });
}
