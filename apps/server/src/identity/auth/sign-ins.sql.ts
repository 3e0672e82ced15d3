import { sql } from 'kysely';
import { cleanRows, type Db, type Queries, type RowWithout, type Trx } from '../../foundation/db/index.ts';

const columns = [
  'id',
  'user_id',
  'address',
  'user_agent',
  'second_factor',
  'created_at',
  'last_used_at',
  'expires_at',
] as const;

export type SignInRow = Awaited<ReturnType<typeof insertSignIn>>;

type NewSignIn = RowWithout<'sign_ins', 'created_at' | 'last_used_at' | 'expires_at'>;

export function insertSignIn(trx: Trx, signIn: NewSignIn, days: number) {
  return trx
    .insertInto('sign_ins')
    .values({ ...signIn, expires_at: sql<Date>`now() + make_interval(days => ${days})` })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

const isLive = (idleHours: number, row = 's') => {
  const [expiresAt, lastUsedAt] = [sql.ref(`${row}.expires_at`), sql.ref(`${row}.last_used_at`)];
  return sql<boolean>`${expiresAt} > now() and ${lastUsedAt} > now() - make_interval(hours => ${idleHours})`;
};

export function findSignInByDigest(db: Queries, digest: Buffer, idleHours: number) {
  return db
    .selectFrom('sign_ins as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.id', 's.user_id', 's.expires_at', 's.last_used_at', 'u.plan', 'u.is_admin', 'u.suspended_at'])
    .where('s.digest', '=', digest)
    .where(isLive(idleHours))
    .executeTakeFirst();
}

export function findSignIn(db: Queries, id: string): Promise<SignInRow | undefined> {
  return db.selectFrom('sign_ins').select(columns).where('id', '=', id).executeTakeFirst();
}

export function listSignIns(db: Queries, userId: string, idleHours: number): Promise<SignInRow[]> {
  return db
    .selectFrom('sign_ins as s')
    .select(columns)
    .where('s.user_id', '=', userId)
    .where(isLive(idleHours))
    .orderBy('s.last_used_at', 'desc')
    .orderBy('s.id')
    .execute();
}

export async function touchSignIn(db: Queries, id: string): Promise<void> {
  await db.updateTable('sign_ins').set({ last_used_at: sql<Date>`now()` }).where('id', '=', id).execute();
}

/** The ids of those that were there. */
export async function deleteSignIns(trx: Trx, userId: string, which: { id?: string; except?: string }) {
  const rows = await trx
    .deleteFrom('sign_ins')
    .where('user_id', '=', userId)
    .$if(which.id !== undefined, (query) => query.where('id', '=', which.id ?? ''))
    .$if(which.except !== undefined, (query) => query.where('id', '!=', which.except ?? ''))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export const deleteEndedSignIns = (db: Db, idleHours: number): Promise<void> =>
  cleanRows(db, { table: 'sign_ins', by: 'id', where: sql`not (${isLive(idleHours, 'gone')})` });
