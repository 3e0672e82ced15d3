import type { Plan } from '@bottega/contract';
import { sql } from 'kysely';
import { violatesUnique } from '../db/errors.ts';
import type { Queries, Trx } from '../db/transaction.ts';
import { conflict } from '../http/app-error.ts';

const columns = [
  'id',
  'email',
  'username',
  'name',
  'is_admin',
  'plan',
  'subscription_status',
  'subscription_expires_at',
  'avatar_url',
  'theme',
  'language',
  'notify_email',
  'notify_push',
  'created_at',
  'updated_at',
] as const;

export type UserRow = NonNullable<Awaited<ReturnType<typeof findUser>>>;

export function findUser(db: Queries, id: string) {
  return db.selectFrom('users').select(columns).where('id', '=', id).executeTakeFirst();
}

export function lockUser(trx: Trx, id: string): Promise<UserRow | undefined> {
  return trx.selectFrom('users').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

export function findUserByEmail(db: Queries, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').select(columns).where('email', '=', email).executeTakeFirst();
}

export async function anyUserExists(db: Queries): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export type NewUser = {
  id: string;
  email: string;
  name: string;
  password_hash: string;
  plan: Plan;
  is_admin: boolean;
};

/** Undefined where another account has the username; the caller tries the next one. */
export async function insertUser(trx: Trx, user: NewUser & { username: string }): Promise<UserRow | undefined> {
  try {
    return await trx
      .insertInto('users')
      .values(user)
      .onConflict((row) => row.column('username').doNothing())
      .returning(columns)
      .executeTakeFirst();
  } catch (error) {
    if (violatesUnique(error, 'users_email')) throw conflict(`There is an account with the address ${user.email}`);
    throw error;
  }
}

export type UserChange = Partial<
  Pick<UserRow, 'name' | 'username' | 'avatar_url' | 'theme' | 'language' | 'notify_email' | 'notify_push'>
>;

export async function updateUser(trx: Trx, id: string, change: UserChange): Promise<void> {
  try {
    await trx
      .updateTable('users')
      .set({ ...change, updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute();
  } catch (error) {
    if (violatesUnique(error, 'users_username_key')) throw conflict('This username is taken');
    throw error;
  }
}
