import { sql } from 'kysely';
import type { SealedColumn } from '../../foundation/crypto/reseal.ts';
import { type Queries, type RowWithout, type Trx, violatesUnique } from '../../foundation/db/index.ts';
import { conflict } from '../../foundation/http/index.ts';

const serviceColumns = ['id', 'user_id', 'issuer', 'created_at'] as const;

export type ServiceRow = RowWithout<'services'>;
export type ServiceKeyRow = RowWithout<'service_keys'>;

export async function insertService(trx: Trx, service: Omit<ServiceRow, 'created_at'>): Promise<ServiceRow> {
  try {
    return await trx.insertInto('services').values(service).returning(serviceColumns).executeTakeFirstOrThrow();
  } catch (error) {
    if (violatesUnique(error, 'services_issuer_key')) throw conflict('This issuer is already registered');
    throw error;
  }
}

export async function insertServiceKey(
  trx: Trx,
  key: Pick<ServiceKeyRow, 'service_id' | 'kid' | 'secret_encrypted'>,
): Promise<void> {
  await trx.insertInto('service_keys').values(key).execute();
}

export function listServices(db: Queries, userId: string): Promise<ServiceRow[]> {
  return db.selectFrom('services').select(serviceColumns).where('user_id', '=', userId).orderBy('id', 'desc').execute();
}

export function lockService(trx: Trx, userId: string, id: string): Promise<ServiceRow | undefined> {
  return trx
    .selectFrom('services')
    .select(serviceColumns)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

/** The keys that are valid now, newest first. */
export function liveServiceKeys(db: Queries, serviceIds: string[]): Promise<ServiceKeyRow[]> {
  if (serviceIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('service_keys')
    .select(['service_id', 'kid', 'secret_encrypted', 'created_at', 'expires_at'])
    .where('service_id', 'in', serviceIds)
    .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', sql<Date>`now()`)]))
    .orderBy('created_at', 'desc')
    .orderBy('kid')
    .execute();
}

/** Deletes all keys except the newest, which stays valid for the overlap. */
export async function retireServiceKeys(trx: Trx, serviceId: string, overlapSeconds: number): Promise<void> {
  const [newest] = await liveServiceKeys(trx, [serviceId]);
  await trx
    .deleteFrom('service_keys')
    .where('service_id', '=', serviceId)
    .where('kid', '!=', newest?.kid ?? '')
    .execute();
  await trx
    .updateTable('service_keys')
    .set({ expires_at: sql<Date>`least(expires_at, now() + make_interval(secs => ${overlapSeconds}))` })
    .where('service_id', '=', serviceId)
    .execute();
}

export async function deleteService(trx: Trx, userId: string, id: string): Promise<boolean> {
  const result = await trx.deleteFrom('services').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export function findServiceByIssuer(db: Queries, issuer: string) {
  return db
    .selectFrom('services as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.id', 's.user_id', 'u.plan', 'u.is_admin', 'u.suspended_at'])
    .where('s.issuer', '=', issuer)
    .executeTakeFirst();
}

export const sealedServiceKeys: SealedColumn = {
  table: 'service_keys',
  column: 'secret_encrypted',
  purpose: 'service keys',
};
