import type { Plan } from '@bottega/contract';
import { sql } from 'kysely';
import { type Queries, type RowOf, type Trx, violatesUnique } from '../../foundation/db/index.ts';
import { conflict } from '../../foundation/http/index.ts';

export const columns = [
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
  'email_verified_at',
  'suspended_at',
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

/**
 * Locks an address until the transaction ends. Of several concurrent sign-ups with the same address, only one
 * continues. The others wait, and then find the account that it has created.
 */
export async function lockAddress(trx: Trx, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`account of ${email}`}, 0))`.execute(trx);
}

/** Finds an account with the hash of its password, which no other read returns. */
export function findCredentials(db: Queries, by: { email: string } | { id: string }) {
  const [column, value] = 'id' in by ? (['id', by.id] as const) : (['email', by.email] as const);
  return db
    .selectFrom('users')
    .select([...columns, 'password_hash'])
    .where(column, '=', value)
    .executeTakeFirst();
}

export type CredentialsRow = NonNullable<Awaited<ReturnType<typeof findCredentials>>>;

/**
 * Whether the password is still the one that was compared, because comparing takes time. It stays the same until the
 * transaction ends.
 */
export async function holdPassword(trx: Trx, { id, password_hash }: CredentialsRow): Promise<boolean> {
  const user = trx.selectFrom('users').select('id').where('id', '=', id).where('password_hash', '=', password_hash);
  return (await user.forNoKeyUpdate().executeTakeFirst()) !== undefined;
}

export async function anyUserExists(db: Queries): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export type NewUser = {
  id: string;
  email: string;
  name: string;
  password_hash: string | null;
  plan: Plan;
  is_admin: boolean;
  email_verified_at: Date | null;
};

/** Inserts a user. Undefined if another account has the username; the caller then tries another username. */
export async function insertUser(trx: Trx, user: NewUser & { username: string }): Promise<UserRow | undefined> {
  try {
    return await trx
      .insertInto('users')
      .values(user)
      .onConflict((row) => row.column('username').doNothing())
      .returning(columns)
      .executeTakeFirst();
  } catch (error) {
    if (violatesUnique(error, 'users_email'))
      throw conflict(`An account with the address ${user.email} already exists`);
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

export async function setPasswordHash(trx: Trx, id: string, hash: string): Promise<void> {
  await trx
    .updateTable('users')
    .set({ password_hash: hash, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Marks the address as verified. Returns when it was first verified, which a second link does not change. */
export async function markEmailVerified(trx: Trx, id: string): Promise<Date | null> {
  const row = await trx
    .updateTable('users')
    .set({ email_verified_at: sql<Date>`coalesce(email_verified_at, now())` })
    .where('id', '=', id)
    .returning('email_verified_at')
    .executeTakeFirst();
  return row?.email_verified_at ?? null;
}

/** Removes all personal data from the row, and frees its address and name for others. */
export async function retireUser(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('users')
    .set({
      email: `${id}@deleted.invalid`,
      username: id,
      name: 'Deleted account',
      password_hash: null,
      is_admin: false,
      avatar_url: null,
      suspended_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute();
}

export async function deleteUser(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute();
}

/** Users who are notified of events about the whole installation. */
export function listAdministrators(db: Queries): Promise<RowOf<'users', ['id', 'email', 'name']>[]> {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'name'])
    .where('is_admin', '=', true)
    .where('suspended_at', 'is', null)
    .execute();
}

/**
 * Locks all active administrators. So if two of them stop being administrators at the same time, the second change sees
 * the first.
 */
export async function lockActiveAdministrators(trx: Trx): Promise<string[]> {
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where('is_admin', '=', true)
    .where('suspended_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}
