import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { cleanRows, type Db, type Trx } from '../../foundation/db/index.ts';

/**
 * What a link is for. A mailed link proves that the user can read the mailbox. A link that somebody passed on in
 * another way (`handed_reset`) does not.
 */
type Purpose = 'verify_email' | 'reset_password' | 'handed_reset';

const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Issues the token of a link. Earlier links for the same purpose stop working. */
export async function issueToken(
  trx: Trx,
  { userId, purpose, hours }: { userId: string; purpose: Purpose; hours: number },
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(32).toString('base64url');
  await trx.deleteFrom('account_tokens').where('user_id', '=', userId).where('purpose', '=', purpose).execute();
  const { expires_at: expiresAt } = await trx
    .insertInto('account_tokens')
    .values({
      digest: digestOf(token),
      user_id: userId,
      purpose,
      expires_at: sql<Date>`now() + make_interval(hours => ${hours})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return { token, expiresAt };
}

/**
 * Uses up a token and returns its account. If several requests use the same token at the same time, only the first one
 * gets the account.
 */
export function useToken(trx: Trx, purposes: Purpose[], token: string) {
  return trx
    .deleteFrom('account_tokens')
    .where('digest', '=', digestOf(token))
    .where('purpose', 'in', purposes)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['user_id', 'purpose'])
    .executeTakeFirst();
}

export async function deleteTokens(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('account_tokens').where('user_id', '=', userId).execute();
}

export const deleteExpiredTokens = (db: Db): Promise<void> =>
  cleanRows(db, { table: 'account_tokens', by: 'digest', where: sql`gone.expires_at < now()` });
