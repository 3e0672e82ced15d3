import {
  type Delivery,
  type DeliveryDetail,
  type DeliveryList,
  type DeliveryListQuery,
  type EventLog,
  type OffsetQuery,
  pingName,
  type RecoverWebhook,
  type RedeliverFailed,
  type Redelivery,
  type ScheduledDeliveries,
  type TestedWebhook,
  type TestWebhook,
  type WebhookFormat,
} from '@bottega/contract';
import { type Db, inSnapshot, type Trx } from '../../foundation/db/index.ts';
import { type Cause, invalid, notFound, type Principal } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import type { WebhookEngine } from '../delivery/index.ts';
import { writeDeliveryDown, writeWebhookDown } from '../queue/index.ts';
import {
  asOutcome,
  exampleData,
  lockManageableWebhook,
  manageableWebhook,
  pingData,
  typeNamed,
} from '../subscriptions/index.ts';
import * as rows from './deliveries.sql.ts';
import { asDelivery, asDeliveryDetail } from './deliveries.view.ts';
import { periodOf } from './period.ts';
import { createRecoveries, createRedelivery, redeliverFailed } from './redelivery.sql.ts';
import { countDeliveries } from './stats.service.ts';

export async function listDeliveries(
  db: Db,
  principal: Principal,
  webhookId: string,
  query: DeliveryListQuery,
): Promise<DeliveryList> {
  await manageableWebhook(db, principal, webhookId);
  const { limit, offset, status = null, event_type: eventType = null } = query;
  const period = periodOf(query);
  await writeWebhookDown(db, webhookId);
  // Both are read in one snapshot, so that the figures match the rows.
  const [page, stats] = await inSnapshot(db, async (trx) => [
    await rows.listDeliveries(trx, webhookId, { ...period, status, eventType }, { limit, offset }),
    await countDeliveries(trx, { ...period, webhookId, eventType }),
  ]);
  const total = totalOf(stats, status);
  return {
    deliveries: page.map(asDelivery),
    total,
    pagination: { limit, offset, has_more: offset + page.length < total },
    stats,
  };
}

function totalOf(stats: DeliveryList['stats'], status: Delivery['status'] | null): number {
  switch (status) {
    case null:
      return stats.total_deliveries;
    case 'success':
      return stats.successful_deliveries;
    case 'failed':
      return stats.failed_deliveries;
    case 'pending':
      return stats.pending_deliveries;
  }
}

type DeliveryName = { webhookId: string; deliveryId: string };

export async function readDelivery(
  db: Db,
  principal: Principal,
  { webhookId, deliveryId }: DeliveryName,
): Promise<DeliveryDetail> {
  await manageableWebhook(db, principal, webhookId);
  if (!isId('dlv', deliveryId)) throw notFound('Delivery');
  await writeDeliveryDown(db, deliveryId);
  const row = await rows.findDelivery(db, webhookId, deliveryId);
  if (!row) throw notFound('Delivery');
  return asDeliveryDetail(row, await rows.listAttempts(db, deliveryId));
}

/** Makes exactly one attempt now, even if the webhook is inactive. The caller waits for its outcome. */
export async function testWebhook(
  db: Db,
  principal: Principal,
  { webhookId, input, cause }: { webhookId: string; input: TestWebhook; cause: Cause },
  engine: Pick<WebhookEngine, 'sendTest'>,
): Promise<TestedWebhook> {
  const webhook = await manageableWebhook(db, principal, webhookId);
  const { event_type: name = pingName, payload } = input;
  const type = typeNamed(name);
  const example = type ? exampleData(type, webhook.format) : pingData(webhook, webhook.format);
  const data = payload === undefined ? example : JSON.stringify(asData(payload, webhook.format));
  const id = await engine.sendTest({ webhookId, name, data, cause });
  const delivery = await rows.findDelivery(db, webhookId, id);
  if (!delivery) throw notFound('Delivery');
  return { ...asOutcome(delivery), response_body: delivery.response_body, webhook_url: webhook.url };
}

/**
 * Returns the payload as the `data` of the envelope. In the guide's format, `data` always contains an `object`. A
 * payload that already has one stays as it is.
 */
function asData(payload: object, format: WebhookFormat): object {
  const hasObject = 'object' in payload && typeof payload.object === 'object' && payload.object !== null;
  return format === 'guide' && !hasObject ? { object: payload } : payload;
}

export async function redeliver(
  trx: Trx,
  principal: Principal,
  { webhookId, deliveryId }: DeliveryName,
): Promise<Redelivery> {
  const webhook = await lockManageableWebhook(trx, principal, webhookId);
  if (!isId('dlv', deliveryId)) throw notFound('Delivery');
  await writeDeliveryDown(trx, deliveryId);
  const row = await createRedelivery(trx, { webhookId, deliveryId });
  if (!row) throw notFound('Delivery');
  return {
    delivery_id: row.id,
    original_delivery_id: deliveryId,
    event_type: row.event_type,
    status: row.status,
    scheduled_at: row.due_at.toISOString(),
    webhook_url: webhook.url,
  };
}

/**
 * Creates deliveries for all events of the period that the webhook should have received but did not, including events
 * from before it was active.
 */
export async function recover(
  trx: Trx,
  principal: Principal,
  { webhookId, input }: { webhookId: string; input: RecoverWebhook },
): Promise<ScheduledDeliveries> {
  const webhook = await lockManageableWebhook(trx, principal, webhookId);
  const { since, until } = periodIn(input);
  const scheduled = await createRecoveries(trx, { webhook, since: since ?? until, until });
  return { webhook_id: webhookId, since: since?.toISOString() ?? null, until: until.toISOString(), scheduled };
}

export async function redeliverAllFailed(
  trx: Trx,
  principal: Principal,
  { webhookId, input }: { webhookId: string; input: RedeliverFailed },
): Promise<ScheduledDeliveries> {
  await lockManageableWebhook(trx, principal, webhookId);
  const { since, until } = periodIn(input);
  const eventType = input.event_type ?? null;
  const scheduled = await redeliverFailed(trx, { webhookId, since, until, eventType });
  return { webhook_id: webhookId, since: since?.toISOString() ?? null, until: until.toISOString(), scheduled };
}

function periodIn(input: RedeliverFailed): { since: Date | null; until: Date } {
  const since = input.since === undefined ? null : timeIn('since', input.since);
  const until = input.until === undefined ? new Date() : timeIn('until', input.until);
  if (since && since > until) throw invalid('since', 'must not be later than until');
  return { since, until };
}

function timeIn(field: string, text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()) || time.getTime() < 0) throw invalid(field, 'is not a valid time');
  return time;
}

export async function readEventLog(
  db: Db,
  principal: Principal,
  webhookId: string,
  { limit, offset }: OffsetQuery,
): Promise<EventLog> {
  await manageableWebhook(db, principal, webhookId);
  await writeWebhookDown(db, webhookId);
  const [page, all, further] = await inSnapshot(db, async (trx) => [
    await rows.listLoggedEvents(trx, webhookId, { limit, offset }),
    await countDeliveries(trx, { ...periodOf({}), webhookId, eventType: null }),
    await rows.countFurtherDeliveries(trx, webhookId),
  ]);
  const total = all.total_deliveries - further;
  return {
    events: page.map((row) => ({
      event_id: row.event_id,
      event_type: row.event_type,
      timestamp: row.event_at.toISOString(),
      data: JSON.parse(row.data),
      deliveries: row.deliveries,
    })),
    total,
    pagination: { limit, offset, has_more: offset + page.length < total },
  };
}
