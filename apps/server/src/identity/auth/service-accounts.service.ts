import { type CreateServiceAccount, type Scope, type ServiceAccount, scopesWithin } from '@bottega/contract';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { type Cause, forbidden, notFound, outlives, type Principal } from '../../foundation/http/index.ts';
import { isId, newId } from '../../foundation/ids.ts';
import { recordAudit } from '../audit/index.ts';
import { holdCredential } from './all-credentials.sql.ts';
import { announceCredentialChange } from './credential-changes.ts';
import * as rows from './service-accounts.sql.ts';

const maxServiceAccounts = 100;

/**
 * A service account cannot sign in and has no keys. It acts through JWTs of its owner's services. It also has no rights
 * of its own. At every request, its owner's rights are checked, so if the owner loses a right, the service account
 * loses it too. What is stored here only narrows these rights. So the list of projects may contain some that the owner
 * cannot access.
 */
export async function createServiceAccount(
  trx: Trx,
  principal: Principal,
  input: CreateServiceAccount,
  cause: Cause,
): Promise<ServiceAccount> {
  const { userId } = principal;
  const { name, projects, scopes = [...principal.scopes] } = input;
  if (!scopesWithin(scopes, principal.scopes)) {
    throw forbidden('A service account cannot have more scopes than the credential that creates it');
  }
  if (outlives(null, principal))
    throw forbidden('A credential that expires cannot create a service account, because service accounts never expire');
  // This also makes concurrent creations count each other.
  await holdCredential(trx, principal);
  if ((await rows.countServiceAccounts(trx, userId)) >= maxServiceAccounts) {
    throw forbidden(`An account can have at most ${maxServiceAccounts} service accounts`);
  }
  const account = await rows.insertServiceAccount(trx, { id: newId('sva'), user_id: userId, name, scopes, projects });
  const entry = { accountId: userId, subjectId: account.id, details: { name, scopes, projects } };
  await recordAudit(trx, { action: 'service_account.created', ...entry }, cause);
  await announceCredentialChange(trx);
  return asServiceAccount(account);
}

export async function listServiceAccounts(db: Db, { userId }: Principal): Promise<ServiceAccount[]> {
  return (await rows.listServiceAccounts(db, userId)).map(asServiceAccount);
}

export async function deleteServiceAccount(db: Db, { userId }: Principal, id: string, cause: Cause): Promise<void> {
  if (!isId('sva', id)) throw notFound('Service account');
  await transaction(db, async (trx) => {
    if (!(await rows.deleteServiceAccount(trx, userId, id))) throw notFound('Service account');
    await recordAudit(trx, { action: 'service_account.deleted', accountId: userId, subjectId: id }, cause);
    await announceCredentialChange(trx);
  });
}

const asServiceAccount = (row: rows.ServiceAccountRow): ServiceAccount => ({
  ...row,
  scopes: row.scopes as Scope[],
  created_at: row.created_at.toISOString(),
});
