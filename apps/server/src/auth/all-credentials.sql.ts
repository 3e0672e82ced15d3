import type { Trx } from '../db/transaction.ts';

/** Of an account that is deleted: keys, and services with their keys. */
export async function revokeAllCredentials(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('api_keys').where('user_id', '=', userId).execute();
  await trx.deleteFrom('services').where('user_id', '=', userId).execute();
}
