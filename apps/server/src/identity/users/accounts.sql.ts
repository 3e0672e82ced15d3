import { sql } from 'kysely';
import { firstRow, type Queries, type RowOf, type Trx } from '../../foundation/db/index.ts';

const columns = ['id', 'name', 'email', 'username', 'avatar_url', 'notify_email', 'plan'] as const;
const listed = sql.raw(columns.join(', '));

/** An account as those see it who share a project with it, and whether it wants our mails. */
export type Account = RowOf<'users', typeof columns>;

/**
 * Whose address is theirs beyond doubt: what was sent to an address must not reach whoever merely claims it. An address
 * is confirmed by a mailed link, or vouched for by whoever made the account.
 */
const isProven = sql`email_verified_at is not null`;

/** Held until the transaction ends: what refers to the account must not find it gone when it commits. */
export function holdAccount(trx: Trx, id: string): Promise<Account | undefined> {
  return firstRow<Account>(trx)`select ${listed} from users where id = ${id} for key share`;
}

/** The same by a proven address. */
export function holdAccountByAddress(trx: Trx, email: string): Promise<Account | undefined> {
  return firstRow<Account>(trx)`
    select ${listed} from users where email = ${email} and ${isProven} for key share`;
}

/** Null where there is none, or where it is not proven. */
export async function provenAddress(db: Queries, userId: string): Promise<string | null> {
  const { rows } = await sql<{ email: string }>`
    select email from users where id = ${userId} and ${isProven}`.execute(db);
  return rows[0]?.email ?? null;
}
