import type { Trx } from '../../foundation/db/index.ts';
import { announceCredentialChange } from './credential-changes.ts';

/** Revokes everything except sessions: keys, services with their keys, service accounts, and apps with their tokens. */
export async function revokeAllCredentials(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('api_keys').where('user_id', '=', userId).execute();
  await trx.deleteFrom('services').where('user_id', '=', userId).execute();
  await trx.deleteFrom('service_accounts').where('user_id', '=', userId).execute();
  await trx.deleteFrom('oauth_consents').where('user_id', '=', userId).execute();
  await announceCredentialChange(trx);
}
