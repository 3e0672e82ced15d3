import type { SignIn } from '@bottega/contract';
import { appendEvent } from '../../events/index.ts';
import { type Trx, transaction } from '../../foundation/db/index.ts';
import { AppError, forbidden, type RequestCause, unauthenticated } from '../../foundation/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import { type OpenedSession, openSession } from '../auth/index.ts';
import { findCredentials, holdPassword, type UserRow, userEventData } from '../users/index.ts';
import type { Accounts } from './accounts.ts';
import { giveBack } from './attempts.ts';
import { beginAttempt, noteFailure } from './failed-attempts.service.ts';
import { checkSecondFactor } from './second-factor.service.ts';

export type SignedInUser = OpenedSession & { user: UserRow };

/**
 * Signs a user in. Checks the budget, the account, the password and the second factor, in this order. Every failure up
 * to the password gives the same answer and takes the same work. So only a caller with the right password learns
 * anything about the account.
 */
export async function signIn(accounts: Accounts, input: SignIn, cause: RequestCause): Promise<SignedInUser> {
  const { db, passwords } = accounts;
  const email = input.email.trim().toLowerCase();
  const attempt = await beginAttempt(accounts, email, cause);
  const user = await findCredentials(db, { email });
  const isRight = await passwords.verify(user?.password_hash ?? null, input.password);
  if (!user || !isRight) {
    await noteFailure(accounts, user ?? null, { attempt, cause, reason: 'password' });
    throw notCorrect();
  }
  const factor = await checkSecondFactor(accounts, user.id, input.code);
  if (factor === 'wrong') {
    await noteFailure(accounts, user, { attempt, cause, reason: 'second_factor' });
    throw unauthenticated('The code is not correct, or was already used');
  }
  await giveBack(db, attempt, { trust: factor !== 'missing' });
  if (factor === 'missing') throw secondFactorRequired();
  mustBeLetIn(user, accounts);
  const own = { ...cause, actorId: user.id };
  return transaction(db, async (trx) => {
    if (!(await holdPassword(trx, user))) throw notCorrect();
    const recovery = factor === 'recovery_code';
    if (recovery) await recordAudit(trx, { action: 'user.recovery_code_used', accountId: user.id }, own);
    return { ...(await beginSession(trx, accounts, user, { secondFactor: factor !== 'none', cause: own })), user };
  });
}

/** Starts a session. Also used if the user was authenticated in another way, such as by signing up. */
export async function beginSession(
  trx: Trx,
  { life }: Pick<Accounts, 'life'>,
  user: UserRow,
  { secondFactor, cause }: { secondFactor: boolean; cause: RequestCause },
): Promise<OpenedSession> {
  const opened = await openSession(trx, { userId: user.id, secondFactor, origin: cause.origin, life });
  const { signIn: row } = opened;
  const data = {
    ...userEventData(user),
    session_id: row.id,
    ip_address: row.address,
    user_agent: row.user_agent,
    second_factor: secondFactor,
    signed_in_at: row.created_at.toISOString(),
  };
  await appendEvent(trx, { type: 'user.login', accountId: user.id, projectId: null, data }, cause);
  await recordAudit(trx, { action: 'user.login', accountId: user.id, subjectId: row.id }, cause);
  return opened;
}

function mustBeLetIn(user: UserRow, { mailer }: Accounts): void {
  if (user.suspended_at) throw forbidden('The account is suspended');
  if (!user.email_verified_at && mailer.isSetUp) {
    throw forbidden('The e-mail address is not confirmed yet; open the link that was sent to it');
  }
}

const notCorrect = (): AppError => unauthenticated('The e-mail address or the password is not correct');

const secondFactorRequired = (): AppError =>
  new AppError('AUTHENTICATION_ERROR', 'The password is correct; the second factor is also required', {
    details: { second_factor_required: true },
    headers: { 'www-authenticate': 'Bearer realm="bottega"' },
  });
