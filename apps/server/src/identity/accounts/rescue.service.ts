import type { ResetLink } from '@bottega/contract';
import type { Trx } from '../../foundation/db/index.ts';
import { type Cause, conflict } from '../../foundation/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import type { UserRow } from '../users/index.ts';
import { issueToken } from './account-tokens.sql.ts';
import type { Accounts } from './accounts.ts';
import { type Alert, raiseAlert } from './alerts.service.ts';
import { deleteSecondFactor } from './second-factor.sql.ts';

/** Hours that a link is valid: long enough to pass it on, and short enough that it is not left lying around. */
const linkHours = 4;

type Needs = Pick<Accounts, 'mailer' | 'publicUrl'>;
/** Who helps: an administrator through the API, or an operator at the command line. */
export type Helping = { by: 'administrator' | 'operator'; cause: Cause };

/**
 * Creates a link for a user who has lost the password, if no mail can be sent or read. Somebody passes the link on in
 * another way, so using it does not verify the address. The account's owner gets a warning, so that nobody sets another
 * user's password unnoticed.
 */
export async function createResetLink(
  trx: Trx,
  needs: Needs,
  user: UserRow,
  { by, cause }: Helping,
): Promise<ResetLink> {
  const link = await issueResetLink(trx, needs, user);
  await recordAudit(trx, { action: 'user.reset_link_created', accountId: user.id, details: { by } }, cause);
  const alert = warning('reset_link_created', 'A password reset link was created for your account', {
    description: `An ${by} created a password reset link for ${user.email}. It can be used once, within ${linkHours} hours.`,
    actionsTaken: ['The password does not change until the link is used'],
  });
  await raiseAlert(trx, needs, user, { alert, cause });
  return link;
}

/** Issues a link without a warning, for an account that has just been created. */
export async function issueResetLink(trx: Trx, { publicUrl }: Needs, user: UserRow): Promise<ResetLink> {
  // A deleted account counts as suspended until its row is deleted.
  if (user.suspended_at) throw conflict('The account is suspended; reinstate it first');
  const { token, expiresAt } = await issueToken(trx, { userId: user.id, purpose: 'handed_reset', hours: linkHours });
  return { url: `${publicUrl()}/reset-password#token=${token}`, expires_at: expiresAt.toISOString() };
}

/** Removes the second factor. The password is still required, and a suspended account stays suspended. */
export async function removeSecondFactorOf(
  trx: Trx,
  needs: Needs,
  user: UserRow,
  { by, cause }: Helping,
): Promise<void> {
  if (!(await deleteSecondFactor(trx, user.id))) throw conflict('The account has no second factor');
  await recordAudit(trx, { action: 'user.second_factor_removed', accountId: user.id, details: { by } }, cause);
  const alert = warning('second_factor_removed', 'The second factor was removed from your account', {
    description: `An ${by} removed the second factor from ${user.email}.`,
    actionsTaken: ['Signing in now requires only the password'],
  });
  await raiseAlert(trx, needs, user, { alert, cause });
}

const warning = (
  type: string,
  title: string,
  { description, actionsTaken }: Pick<Alert, 'description' | 'actionsTaken'>,
): Alert => ({
  type,
  severity: 'high',
  title,
  description,
  failedAttempts: null,
  timeWindow: null,
  actionsTaken,
  recommendedActions: ['Ask your administrator if you did not request this', 'Set up a second factor'],
});
