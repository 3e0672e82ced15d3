import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { cleanRows, type Db, type Trx } from '../../foundation/db/index.ts';

type Purpose = 'verify_email' | 'reset_password';

const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer');

/** The newest link is the one that counts: those sent before stop working. */
export async function issueToken(
  trx: Trx,
  { userId, purpose, hours }: { userId: string; purpose: Purpose; hours: number },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await trx.deleteFrom('account_tokens').where('user_id', '=', userId).where('purpose', '=', purpose).execute();
  await trx
    .insertInto('account_tokens')
    .values({
      digest: digestOf(token),
      user_id: userId,
      purpose,
      expires_at: sql<Date>`now() + make_interval(hours => ${hours})`,
    })
    .execute();
  return token;
}

/** Whose it is; reading it uses it up, for whichever of several that try at once comes first. */
export async function useToken(trx: Trx, purpose: Purpose, token: string): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('account_tokens')
    .where('digest', '=', digestOf(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

export async function deleteTokens(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('account_tokens').where('user_id', '=', userId).execute();
}

export const deleteExpiredTokens = (db: Db): Promise<void> =>
  cleanRows(db, { table: 'account_tokens', by: 'digest', where: sql`gone.expires_at < now()` });
