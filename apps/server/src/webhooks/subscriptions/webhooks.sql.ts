import type { WebhookListQuery } from '@bottega/contract';
import { type RawBuilder, sql } from 'kysely';
import { changing } from '../../foundation/cluster/cache-registry.ts';
import type { SealedColumn } from '../../foundation/crypto/reseal.ts';
import { allRows, firstRow, type Queries, type RowOf, type RowWithout, type Trx } from '../../foundation/db/index.ts';
import type { Permission } from '../../foundation/db/schema.ts';
import { projectAccess, sharedProjects } from '../../projects/access/index.ts';
import { grantHolds } from './entitlement.sql.ts';

/** Columns that a trigger writes and only the relay reads. */
type Kept = 'active_since' | 'formerly_active' | 'revision';

/** A webhook with its figures and the caller's role in its project. */
export type WebhookRow = RowWithout<'webhooks', Kept> &
  RowWithout<'webhook_health', 'webhook_id' | 'failures_in_row'> & {
    grant_ended: boolean;
    pending: number;
    /** This and the following fields are null for an account-wide webhook, and if the project was purged. */
    project_owner_id: string | null;
    project_public: boolean | null;
    project_deleted_at: Date | null;
    my_permissions: Permission[] | null;
  };

const columns = (userId: string) => sql`
  w.id, w.owner_id, w.project_id, w.created_by, w.format, w.name, w.description, w.url, w.events, w.active,
  w.secret_encrypted, w.headers_encrypted, w.timeout, w.retry_policy, w.ordered, w.filters,
  case when w.previous_secret_until > now() then w.previous_secret_encrypted end as previous_secret_encrypted,
  case when w.previous_secret_until > now() then w.previous_secret_until end as previous_secret_until,
  w.disabled_reason, w.disabled_at, w.grant_id, w.as_admin, w.created_at, w.updated_at,
  w.grant_id is not null and not ${grantHolds('w.grant_id')} as grant_ended,
  case when h.paused_until > now() then h.paused_until end as paused_until,
  coalesce(h.successful, 0) as successful, coalesce(h.failed, 0) as failed, h.last_delivery,
  coalesce(h.responses, 0) as responses, coalesce(h.response_ms, 0) as response_ms,
  (select count(*) from webhook_deliveries d where d.webhook_id = w.id and d.status = 'pending') as pending,
  p.owner_id as project_owner_id, p.public as project_public, p.deleted_at as project_deleted_at,
  ${projectAccess(userId)} as my_permissions`;

const joined = sql`
  webhooks w left join webhook_health h on h.webhook_id = w.id left join projects p on p.id = w.project_id`;

export function findWebhook(db: Queries, id: string, userId: string): Promise<WebhookRow | undefined> {
  return firstRow<WebhookRow>(db)`
    select ${columns(userId)} from ${joined} where w.id = ${id}`;
}

/** Locks the webhook until the transaction ends, so that concurrent changes take turns. */
export function lockWebhook(trx: Trx, id: string, userId: string): Promise<WebhookRow | undefined> {
  return firstRow<WebhookRow>(trx)`
    select ${columns(userId)} from ${joined} where w.id = ${id} for no key update of w`;
}

/** The user's account-wide webhooks, and those of projects they own (even if deleted) or manage. */
const manageable = (userId: string) => sql`
  select id from webhooks where owner_id = ${userId} and project_id is null
  union all
  select w.id from projects p join webhooks w on w.project_id = p.id where p.owner_id = ${userId}
  union all
  select w.id from (${sharedProjects(sql`${userId}`, 'manage')}) as shared join webhooks w on w.project_id = shared.project_id`;

const matching = (userId: string, { project_id = null, active = null }: Filter) => sql`
  w.id in (${manageable(userId)})
  and (${project_id}::text is null or w.project_id = ${project_id})
  and (${active}::boolean is null or w.active = ${active})`;

type Filter = { project_id?: string | null; active?: boolean | null };

const sortKeys: Record<WebhookListQuery['sort'], RawBuilder<unknown>> = {
  created_at: sql`w.created_at`,
  updated_at: sql`w.updated_at`,
  name: sql`lower(w.name) collate "C"`,
};

export function listWebhooks(db: Queries, userId: string, query: WebhookListQuery): Promise<WebhookRow[]> {
  const direction = query.order === 'asc' ? sql`asc` : sql`desc`;
  return allRows<WebhookRow>(db)`
    select ${columns(userId)} from ${joined} where ${matching(userId, query)}
    order by ${sortKeys[query.sort]} ${direction}, w.id ${direction}
    limit ${query.limit} offset ${query.offset}`;
}

export async function countWebhooks(db: Queries, userId: string, filter: Filter): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from webhooks w where ${matching(userId, filter)}`.execute(db);
  return rows[0]?.total ?? 0;
}

/**
 * Makes concurrent creations of webhooks in an account take turns, because they do not see each other and could exceed
 * the limit. Returns the number of the account's webhooks.
 */
export async function lockOwnedWebhooks(trx: Trx, userId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks of ${userId}`}, 0))`.execute(trx);
  const { rows } = await sql<{ owned: number }>`
    select count(*) as owned from webhooks where owner_id = ${userId}`.execute(trx);
  return rows[0]?.owned ?? 0;
}

/** Values that never change after a webhook's creation. */
type Given = 'id' | 'owner_id' | 'project_id' | 'created_by' | 'format';

export type WebhookValues = Omit<
  RowWithout<'webhooks', Kept | 'created_at' | 'updated_at'>,
  Given | 'disabled_reason' | 'disabled_at'
>;

type NewWebhook = Omit<WebhookValues, 'previous_secret_encrypted' | 'previous_secret_until'> & Pick<WebhookRow, Given>;

export async function insertWebhook(trx: Trx, webhook: NewWebhook): Promise<void> {
  await changing(trx, 'webhooks');
  const { retry_policy, filters, ...values } = webhook;
  await trx
    .insertInto('webhooks')
    .values({ ...values, retry_policy: asJson(retry_policy), filters: asJson(filters) })
    .execute();
}

export async function updateWebhook(trx: Trx, id: string, change: Partial<WebhookValues>): Promise<void> {
  await changing(trx, 'webhooks');
  const { retry_policy, filters, ...values } = change;
  await trx
    .updateTable('webhooks')
    .set({
      ...values,
      ...(retry_policy !== undefined && { retry_policy: asJson(retry_policy) }),
      ...(filters !== undefined && { filters: asJson(filters) }),
      // Not now(), which is the start of a transaction that may have waited for an earlier change.
      updated_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', id)
    .execute();
}

const asJson = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

/** Deletes a webhook. The cleaning removes its deliveries later, because there may be a million. */
export async function deleteWebhook(trx: Trx, id: string): Promise<Date> {
  await changing(trx, 'webhooks');
  const { rows } = await sql<{ deleted_at: Date }>`
    delete from webhooks where id = ${id} returning now() as deleted_at`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('the locked webhook is missing');
  return row.deleted_at;
}

const sealed = (column: string): SealedColumn => ({ table: 'webhooks', column, purpose: 'webhooks' });

export const sealedWebhookColumns: SealedColumn[] = [
  sealed('secret_encrypted'),
  sealed('previous_secret_encrypted'),
  sealed('headers_encrypted'),
];

export type OutcomeRow = RowOf<
  'webhook_deliveries',
  ['id', 'event_type', 'status', 'response_code', 'response_time', 'delivered_at', 'attempts', 'error']
>;

export function recentDeliveries(db: Queries, webhookId: string): Promise<OutcomeRow[]> {
  return allRows<OutcomeRow>(db)`
    select id, event_type, status, response_code, response_time, delivered_at, attempts, error
    from webhook_deliveries where webhook_id = ${webhookId}
    order by created_at desc, id desc limit 10`;
}
