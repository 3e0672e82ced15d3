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

const columns = ['id', 'user_id', 'name', 'hint', 'scopes', 'created_at', 'expires_at', 'last_used_at'] as const;

export type ApiKeyRow = RowWithout<'api_keys', 'digest'>;

type NewKeyRow = Pick<ApiKeyRow, 'id' | 'user_id' | 'name' | 'hint' | 'scopes' | 'expires_at'> & { digest: Buffer };

export function insertApiKey(trx: Trx, key: NewKeyRow): Promise<ApiKeyRow> {
  return trx.insertInto('api_keys').values(key).returning(columns).executeTakeFirstOrThrow();
}

export function listApiKeys(db: Queries, userId: string): Promise<ApiKeyRow[]> {
  return db
    .selectFrom('api_keys')
    .select(columns)
    .where('user_id', '=', userId)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', sql<Date>`now()`)]))
    .orderBy('id', 'desc')
    .execute();
}

export function lockApiKey(trx: Trx, userId: string, id: string): Promise<ApiKeyRow | undefined> {
  return trx
    .selectFrom('api_keys')
    .select(columns)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', sql<Date>`now()`)]))
    .forUpdate()
    .executeTakeFirst();
}

/** Sets an expiry that is never later than the current one. */
export async function expireApiKey(trx: Trx, id: string, seconds: number): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({ expires_at: sql<Date>`least(expires_at, now() + make_interval(secs => ${seconds}))` })
    .where('id', '=', id)
    .execute();
}

export async function deleteApiKey(trx: Trx, userId: string, id: string): Promise<boolean> {
  const result = await trx.deleteFrom('api_keys').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

const foundKey = ['id', 'user_id', 'name', 'scopes', 'expires_at', 'last_used_at'] as const;
const foundOwner = ['plan', 'is_admin', 'suspended_at'] as const;
type FoundKey = RowOf<'api_keys', typeof foundKey> & RowOf<'users', typeof foundOwner>;

const findByDigestText = `
    select ${selectList('k', foundKey)}, ${selectList('u', foundOwner)}
    from api_keys k join users u on u.id = k.user_id where k.digest = $1`;

export async function findApiKeyByDigest(db: PointReads, digest: Buffer): Promise<FoundKey | undefined> {
  const { rows } = await db.executeQuery<FoundKey>(CompiledQuery.raw(findByDigestText, [digest]));
  return rows[0];
}

export async function touchApiKey(db: Queries, id: string): Promise<void> {
  await db.updateTable('api_keys').set({ last_used_at: sql<Date>`now()` }).where('id', '=', id).execute();
}

export const deleteExpiredKeys = (db: Db): Promise<void> =>
  cleanRows(db, { table: 'api_keys', by: 'id', where: sql`gone.expires_at < now() - interval '30 days'` });
