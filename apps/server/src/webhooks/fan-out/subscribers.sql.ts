import { sql } from 'kysely';
import type { Queries, RowOf } from '../../foundation/db/index.ts';

const columns = [
  'id',
  'owner_id',
  'revision',
  'active',
  'url',
  'format',
  'events',
  'timeout',
  'headers_encrypted',
  'retry_policy',
  'ordered',
  'filters',
  'secret_encrypted',
  'previous_secret_encrypted',
  'previous_secret_until',
] as const;

export type SubscriberRow = RowOf<'webhooks', typeof columns>;

export function readSubscribers(db: Queries, ids: readonly string[]): Promise<SubscriberRow[]> {
  return db.selectFrom('webhooks').select(columns).where('id', '=', sql<string>`any(${ids}::text[])`).execute();
}
