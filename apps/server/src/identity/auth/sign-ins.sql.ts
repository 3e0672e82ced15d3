import { CompiledQuery, sql } from 'kysely';
import {
  cleanRows,
  type Db,
  type PointReads,
  type Queries,
  type RowOf,
  type RowWithout,
  selectList,
  type Trx,
} from '../../foundation/db/index.ts';

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

const isLiveText = (idleHours: string, row = 's'): string =>
  `${row}.expires_at > now() and ${row}.last_used_at > now() - make_interval(hours => ${idleHours})`;
const isLive = (idleHours: number, row?: string) => sql.raw<boolean>(isLiveText(String(idleHours), row));

const foundSignIn = ['id', 'user_id', 'expires_at', 'last_used_at'] as const;
const foundUser = ['plan', 'is_admin', 'suspended_at'] as const;
type FoundSignIn = RowOf<'sign_ins', typeof foundSignIn> & RowOf<'users', typeof foundUser>;

const findByDigestText = `
    select ${selectList('s', foundSignIn)}, ${selectList('u', foundUser)}
    from sign_ins s join users u on u.id = s.user_id where s.digest = $1 and ${isLiveText('$2')}`;

export async function findSignInByDigest(
  db: PointReads,
  digest: Buffer,
  idleHours: number,
): Promise<FoundSignIn | undefined> {
  const { rows } = await db.executeQuery<FoundSignIn>(CompiledQuery.raw(findByDigestText, [digest, idleHours]));
  return rows[0];
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

/** Deletes sessions and returns their ids. */
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
