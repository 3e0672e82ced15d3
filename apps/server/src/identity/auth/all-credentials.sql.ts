import { firstRow, type Trx } from '../../foundation/db/index.ts';
import { type Principal, unauthenticated } from '../../foundation/http/index.ts';
import { announceCredentialChange } from './credential-changes.ts';

/** Revokes everything except sessions: keys, services with their keys, service accounts, and apps with their tokens. */
export async function revokeAllCredentials(trx: Trx, userId: string): Promise<void> {
  await lockAccount(trx, userId);
  await trx.deleteFrom('api_keys').where('user_id', '=', userId).execute();
  await trx.deleteFrom('services').where('user_id', '=', userId).execute();
  await trx.deleteFrom('service_accounts').where('user_id', '=', userId).execute();
  await trx.deleteFrom('oauth_consents').where('user_id', '=', userId).execute();
  await announceCredentialChange(trx);
}

/**
 * Locks the account of a credential that creates another one, and throws if it has been revoked meanwhile. Without the
 * lock, the statements above would not see the new credential.
 */
export async function holdCredential(trx: Trx, { userId, credential: { id } }: Principal): Promise<void> {
  await lockAccount(trx, userId);
  const held = await firstRow(trx)`
    select id from api_keys where id = ${id}
    union all select id from services where id = ${id}
    union all select id from sign_ins where id = ${id}`;
  if (!held) throw unauthenticated('The credential was revoked');
}

async function lockAccount(trx: Trx, userId: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}
