import type { DeliveryListQuery } from '@bottega/contract';
import { sql } from 'kysely';
import { allRows, firstRow, type Queries, type RowWithout } from '../../foundation/db/index.ts';

export type DeliveryStatus = 'pending' | 'success' | 'failed';

/** A delivery with the parts of its envelope. */
export type DeliveryRow = RowWithout<
  'webhook_deliveries',
  'project_id' | 'place' | 'holder' | 'completed_at' | 'request_headers' | 'response_headers'
> & {
  event_at: Date;
  request_id: string | null;
  idempotency_key: string | null;
  data: string;
};

const columns = sql`
  d.id, d.webhook_id, d.event_id, d.event_type, d.format, d.kind, d.original_delivery_id, d.status, d.reason,
  d.attempts, d.due_at, d.response_code, d.response_time, d.response_body, d.error, d.delivered_at, d.created_at,
  p.event_at, p.request_id, p.idempotency_key, p.data`;
const joined = sql`
  webhook_deliveries d join webhook_payloads p on p.event_id = d.event_id and p.format = d.format`;

export type DeliveryFilter = { status: DeliveryStatus | null; eventType: string | null; from: Date; to: Date };

export function listDeliveries(
  db: Queries,
  webhookId: string,
  { status, eventType, from, to }: DeliveryFilter,
  { limit, offset }: Pick<DeliveryListQuery, 'limit' | 'offset'>,
): Promise<DeliveryRow[]> {
  // The query contains only the requested conditions, and the status as a literal, so that the index of pending
  // deliveries applies. Otherwise, PostgreSQL would plan for all partitions each time.
  const ofStatus = status === null ? sql`` : sql`and status = ${sql.lit(status)}`;
  const ofType = eventType === null ? sql`` : sql`and event_type = ${eventType}`;
  return allRows<DeliveryRow>(db)`
    with page as (
      select id, created_at from webhook_deliveries
      where webhook_id = ${webhookId} and created_at >= ${from} and created_at < ${to} ${ofStatus} ${ofType}
      order by created_at desc, id desc limit ${limit} offset ${offset}
    )
    select ${columns} from ${joined} where d.id = any (array(select id from page))
    order by d.created_at desc, d.id desc`;
}

export function findDelivery(db: Queries, webhookId: string, id: string): Promise<DeliveryRow | undefined> {
  return firstRow<DeliveryRow>(db)`
    select ${columns} from ${joined} where d.id = ${id} and d.webhook_id = ${webhookId}`;
}

export type AttemptRow = RowWithout<'webhook_attempts', 'delivery_id'>;

/** Lists all attempts of a delivery. The last one is in the delivery's own row. */
export function listAttempts(db: Queries, deliveryId: string): Promise<AttemptRow[]> {
  return allRows<AttemptRow>(db)`
    select attempt, started_at, response_code, response_time, error, request_headers, response_headers, response_body
    from webhook_attempts where delivery_id = ${deliveryId}
    union all
    select attempts, delivered_at, response_code, response_time, error, request_headers, response_headers, response_body
    from webhook_deliveries as d
    where id = ${deliveryId} and request_headers is not null
      and not exists (select from webhook_attempts where delivery_id = d.id and attempt = d.attempts)
    order by attempt`;
}

export type LoggedEventRow = {
  event_id: string;
  event_type: string;
  event_at: Date;
  data: string;
  deliveries: { delivery_id: string; status: DeliveryStatus; attempts: number }[];
};

/** Whether a delivery is the first one of its event to this webhook. Used to count each event once. */
const isFirst = sql`
  not exists (
    select from webhook_deliveries e
    where e.event_id = d.event_id and e.webhook_id = d.webhook_id and (e.created_at, e.id) < (d.created_at, d.id))`;

export function listLoggedEvents(
  db: Queries,
  webhookId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<LoggedEventRow[]> {
  return allRows<LoggedEventRow>(db)`
    select d.event_id, d.event_type, p.event_at, p.data,
      (select json_agg(json_build_object('delivery_id', o.id, 'status', o.status, 'attempts', o.attempts)
                       order by o.created_at, o.id)
       from webhook_deliveries o where o.event_id = d.event_id and o.webhook_id = d.webhook_id) as deliveries
    from ${joined}
    where d.webhook_id = ${webhookId} and ${isFirst}
    order by d.created_at desc, d.id desc limit ${limit} offset ${offset}`;
}

/**
 * The number of deliveries that are not the first of their event. Counting the events themselves would read all rows.
 */
export async function countFurtherDeliveries(db: Queries, webhookId: string): Promise<number> {
  const { rows } = await sql<{ further: number }>`
    select count(*) as further from webhook_deliveries d
    where d.webhook_id = ${webhookId} and d.kind in ('redelivery', 'recovery') and not ${isFirst}`.execute(db);
  return rows[0]?.further ?? 0;
}
