import type { ConfirmWithPassword } from '@bottega/contract';
import { AppError, invalid, type Principal, type RequestCause, unauthenticated } from '../../foundation/http/index.ts';
import { type CredentialsRow, findCredentials } from '../users/index.ts';
import type { Accounts } from './accounts.ts';
import { giveBack } from './attempts.ts';
import { beginAttempt, noteFailure } from './failed-attempts.service.ts';
import { checkSecondFactor } from './second-factor.service.ts';

type Given = ConfirmWithPassword & { field?: string };

/**
 * Asks for the password again before a change that cannot be undone or would give the account away. A session alone is
 * not enough, because somebody may have left their browser open. Wrong answers are charged and reported like those of a
 * sign-in.
 */
export async function confirmOwner(
  accounts: Accounts,
  { userId }: Principal,
  { password, code, field = 'password' }: Given,
  cause: RequestCause,
): Promise<CredentialsRow> {
  const user = await findCredentials(accounts.db, { id: userId });
  if (!user) throw unauthenticated('The session has ended; sign in again');
  const attempt = await beginAttempt(accounts, user.email, cause);
  if (!(await accounts.passwords.verify(user.password_hash, password))) {
    await noteFailure(accounts, user, { attempt, cause, reason: 'password' });
    throw wrongPassword(field);
  }
  const factor = await checkSecondFactor(accounts, userId, code);
  if (factor === 'wrong') {
    await noteFailure(accounts, user, { attempt, cause, reason: 'second_factor' });
    throw wrong('code', 'is not correct, or was already used');
  }
  await giveBack(accounts.db, attempt, { trust: factor !== 'missing' });
  if (factor === 'missing') throw invalid('code', 'is required: the account has a second factor');
  return user;
}

export const wrongPassword = (field: string): AppError => wrong(field, 'is not the account password');

const wrong = (field: string, message: string): AppError =>
  new AppError('AUTHORIZATION_ERROR', 'This requires the account password', { details: [{ field, message }] });
