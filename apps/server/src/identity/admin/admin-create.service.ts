import type { CreateAccount, CreatedAccount } from '@bottega/contract';
import type { Trx } from '../../foundation/db/index.ts';
import { type Cause, conflict, notFound } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import { type Accounts, accountMade, issueResetLink } from '../accounts/index.ts';
import { addUser, findUserByEmail, lockAddress, lockUser, type StoredByUser, type UserRow } from '../users/index.ts';
import { asAdminUser } from './admin-users.view.ts';

type Needs = { accounts: Accounts; storedBy: StoredByUser };

/**
 * Creates an account. The administrator vouches for the address but never knows the password, which the recipient of
 * the link sets.
 */
export async function createAccount(
  trx: Trx,
  { accounts, storedBy }: Needs,
  { email: given, name, plan = 'free', is_admin: isAdmin = false }: CreateAccount,
  cause: Cause,
): Promise<CreatedAccount> {
  const email = given.toLowerCase();
  await lockAddress(trx, email);
  if (await findUserByEmail(trx, email)) throw conflict(`An account with the address ${email} already exists`);
  const account = { email, name, plan, isAdmin, source: 'administrator', passwordHash: null, emailVerified: true };
  const user = await addUser(trx, account, cause);
  const link = await issueResetLink(trx, accounts, user);
  const { mailer, publicUrl } = accounts;
  await mailer.send(trx, { email, account: user.id }, accountMade(user.name, link.url));
  return { ...(await asAdminUser({ db: trx, storedBy }, user, publicUrl())), reset_link: link };
}

export async function lockAccount(trx: Trx, id: string): Promise<UserRow> {
  const user = isId('usr', id) ? await lockUser(trx, id) : undefined;
  if (!user) throw notFound('User');
  return user;
}
