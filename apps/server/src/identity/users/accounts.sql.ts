import { sql } from 'kysely';
import { firstRow, type Queries, type RowOf, type Trx } from '../../foundation/db/index.ts';

const columns = ['id', 'name', 'email', 'username', 'avatar_url', 'notify_email', 'plan'] as const;
const listed = sql.raw(columns.join(', '));

/** An account as the people of a project see it, and whether it wants mails. */
export type Account = RowOf<'users', typeof columns>;

/**
 * Whether the address of an account is proven, by a mailed link or by the creator of the account. What is sent to an
 * address must not reach a user who only claims it.
 */
const isProven = sql`email_verified_at is not null`;

/**
 * Locks the row until the transaction ends, so that the account still exists when rows that refer to it are committed.
 */
export function holdAccount(trx: Trx, id: string): Promise<Account | undefined> {
  return firstRow<Account>(trx)`select ${listed} from users where id = ${id} for key share`;
}

/** The same as `holdAccount`, by a proven address. */
export function holdAccountByAddress(trx: Trx, email: string): Promise<Account | undefined> {
  return firstRow<Account>(trx)`
    select ${listed} from users where email = ${email} and ${isProven} for key share`;
}

/** The address of a user. Null if there is none, or if it is not proven. */
export async function provenAddress(db: Queries, userId: string): Promise<string | null> {
  const { rows } = await sql<{ email: string }>`
    select email from users where id = ${userId} and ${isProven}`.execute(db);
  return rows[0]?.email ?? null;
}
