import type { Queries, RowWithout, Trx } from '../../foundation/db/index.ts';

const columns = ['id', 'user_id', 'name', 'scopes', 'projects', 'created_at'] as const;

export type ServiceAccountRow = RowWithout<'service_accounts'>;

export function insertServiceAccount(
  trx: Trx,
  account: Omit<ServiceAccountRow, 'created_at'>,
): Promise<ServiceAccountRow> {
  return trx.insertInto('service_accounts').values(account).returning(columns).executeTakeFirstOrThrow();
}

export function listServiceAccounts(db: Queries, userId: string): Promise<ServiceAccountRow[]> {
  return db
    .selectFrom('service_accounts')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();
}

export async function countServiceAccounts(trx: Trx, userId: string): Promise<number> {
  return (await listServiceAccounts(trx, userId)).length;
}

export function findServiceAccount(db: Queries, userId: string, id: string): Promise<ServiceAccountRow | undefined> {
  return db
    .selectFrom('service_accounts')
    .select(columns)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

export async function deleteServiceAccount(trx: Trx, userId: string, id: string): Promise<boolean> {
  const result = await trx
    .deleteFrom('service_accounts')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
