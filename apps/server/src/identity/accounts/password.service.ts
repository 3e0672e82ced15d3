import type { ChangePassword, ResetPassword } from '@bottega/contract';
import { type Trx, transaction } from '../../foundation/db/index.ts';
import { invalid, type Principal, type RequestCause } from '../../foundation/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import { endSessions, type OpenedSession, openSession, revokeAllCredentials } from '../auth/index.ts';
import {
  findUser,
  findUserByEmail,
  holdPassword,
  markEmailVerified,
  setPasswordHash,
  type UserRow,
} from '../users/index.ts';
import { deleteTokens, issueToken, useToken } from './account-tokens.sql.ts';
import * as mails from './accounts.mail.ts';
import type { Accounts } from './accounts.ts';
import { takeRequestAttempt } from './attempts.ts';
import { confirmOwner, wrongPassword } from './confirm.service.ts';
import { mustBeGoodPassword } from './password.policy.ts';

const resetHours = 1;

/** Ends all sessions that were started with the old password. If requested, also revokes all credentials. */
async function endAccess(trx: Trx, userId: string, { credentials }: { credentials: boolean }): Promise<void> {
  await endSessions(trx, userId);
  if (credentials) await revokeAllCredentials(trx, userId);
}

/** Changes the password. All sessions end. The session that sent the request continues with a new cookie. */
export async function changePassword(
  accounts: Accounts,
  principal: Principal,
  { current_password, new_password, code, revoke_credentials: credentials = false }: ChangePassword,
  cause: RequestCause,
): Promise<OpenedSession & { user: UserRow }> {
  const given = { password: current_password, field: 'current_password', ...(code !== undefined && { code }) };
  const user = await confirmOwner(accounts, principal, given, cause);
  await mustBeGoodPassword('new_password', new_password, user);
  const hash = await accounts.passwords.hash(new_password);
  return transaction(accounts.db, async (trx) => {
    if (!(await holdPassword(trx, user))) throw wrongPassword(given.field);
    await setPasswordHash(trx, user.id, hash);
    await endAccess(trx, user.id, { credentials });
    await deleteTokens(trx, user.id);
    const details = { credentials_revoked: credentials };
    await recordAudit(trx, { action: 'user.password_changed', accountId: user.id, details }, cause);
    const { mailer, publicUrl, life } = accounts;
    const mail = mails.passwordChanged(user.name, 'Your password was changed', { publicUrl: publicUrl(), credentials });
    await mailer.send(trx, { email: user.email, account: user.id }, mail);
    const { origin } = cause;
    return { ...(await openSession(trx, { userId: user.id, secondFactor: code !== undefined, origin, life })), user };
  });
}

/** Mails a reset link. The response is the same for every address, so only the owner of the mailbox learns more. */
export async function requestReset(accounts: Accounts, address: string, cause: RequestCause): Promise<void> {
  const { db, mailer, publicUrl } = accounts;
  const email = address.toLowerCase();
  await takeRequestAttempt(db, email, cause.origin.address);
  await transaction(db, async (trx) => {
    const user = await findUserByEmail(trx, email);
    if (!user || user.suspended_at) return;
    const { token } = await issueToken(trx, { userId: user.id, purpose: 'reset_password', hours: resetHours });
    await mailer.send(
      trx,
      { email, account: user.id },
      mails.resetPassword(user.name, `${publicUrl()}/reset-password#token=${token}`),
    );
    await recordAudit(trx, { action: 'user.password_reset_requested', accountId: user.id }, cause);
  });
}

/** Sets the password through a link from a mail or an administrator. A sign-in still requires the second factor. */
export async function resetPassword(
  accounts: Accounts,
  { token, password, revoke_credentials: credentials = false }: ResetPassword,
  cause: RequestCause,
): Promise<void> {
  const { db, mailer, passwords, publicUrl } = accounts;
  await takeRequestAttempt(db, null, cause.origin.address);
  const hash = await passwords.hash(password);
  await transaction(db, async (trx) => {
    const used = await useToken(trx, ['reset_password', 'handed_reset'], token);
    const user = used && (await findUser(trx, used.user_id));
    if (!user) throw invalid('token', 'is not valid, was already used, or has expired');
    // Thrown inside the transaction, so that a refused password leaves the link valid.
    await mustBeGoodPassword('password', password, user);
    const own = { ...cause, actorId: user.id };
    await setPasswordHash(trx, user.id, hash);
    // Only a mailed link verifies the address. Otherwise, a user who claims another person's address could get it
    // verified by asking an administrator for a link.
    if (used.purpose === 'reset_password') await markEmailVerified(trx, user.id);
    await deleteTokens(trx, user.id);
    await endAccess(trx, user.id, { credentials });
    const details = { credentials_revoked: credentials };
    await recordAudit(trx, { action: 'user.password_reset', accountId: user.id, details }, own);
    const mail = mails.passwordChanged(user.name, 'A new password was set', { publicUrl: publicUrl(), credentials });
    await mailer.send(trx, { email: user.email, account: user.id }, mail);
  });
}
