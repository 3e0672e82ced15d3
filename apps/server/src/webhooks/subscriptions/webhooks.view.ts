import {
  type CreatedWebhook,
  codedAs,
  deliveryReasons,
  effectiveRetryPolicy,
  type ListedWebhook,
  type UpdatedWebhook,
  type Webhook,
  webhookReasons,
} from '@bottega/contract';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import type { OutcomeRow, WebhookRow } from './webhooks.sql.ts';

const listed = (row: WebhookRow) => ({
  webhook_id: row.id,
  url: row.url,
  events: row.events,
  name: row.name,
  description: row.description,
  active: row.active,
  project_id: row.project_id,
  format: row.format,
  ordered: row.ordered,
  filters: row.filters,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  created_by: row.created_by,
  disabled_reason: row.disabled_reason,
  ...codedAs('disabled_reason', webhookReasons, row.disabled_reason),
  disabled_at: row.disabled_at?.toISOString() ?? null,
  paused_until: row.paused_until?.toISOString() ?? null,
});

const details = (row: WebhookRow, box: SecretBox) => ({
  headers: headersOf(row, box),
  timeout: row.timeout,
  retry_policy: effectiveRetryPolicy(row.format, row.retry_policy),
  previous_secret_until: row.previous_secret_until?.toISOString() ?? null,
});

const counts = (row: WebhookRow) => ({
  total_deliveries: row.successful + row.failed + row.pending,
  successful_deliveries: row.successful,
  failed_deliveries: row.failed,
  last_delivery: row.last_delivery?.toISOString() ?? null,
});

export function headersOf(row: Pick<WebhookRow, 'headers_encrypted'>, box: SecretBox): Record<string, string> {
  return row.headers_encrypted ? JSON.parse(box.open(row.headers_encrypted)) : {};
}

export function asCreatedWebhook(row: WebhookRow, box: SecretBox): CreatedWebhook {
  return { ...listed(row), ...details(row, box), secret: box.open(row.secret_encrypted), stats: counts(row) };
}

export function asListedWebhook(row: WebhookRow): ListedWebhook {
  return { ...listed(row), stats: { ...counts(row), success_rate: percentOf(row.successful, row.failed) } };
}

type Shown = { box: SecretBox; showsSecret: boolean; recent: Webhook['recent_deliveries'] };

export function asWebhook(row: WebhookRow, { box, showsSecret, recent }: Shown): Webhook {
  return {
    ...listed(row),
    ...details(row, box),
    secret: showsSecret ? box.open(row.secret_encrypted) : null,
    stats: {
      ...counts(row),
      success_rate: percentOf(row.successful, row.failed),
      average_response_time: averageOf(row.response_ms, row.responses),
    },
    recent_deliveries: recent,
  };
}

export function asUpdatedWebhook(row: WebhookRow): UpdatedWebhook {
  const { webhook_id, url, events, name, description, active, ordered, filters, updated_at } = listed(row);
  const retry_policy = effectiveRetryPolicy(row.format, row.retry_policy);
  const { timeout } = row;
  return { webhook_id, url, events, name, description, active, timeout, retry_policy, ordered, filters, updated_at };
}

/** Percent of completed deliveries. Pending ones do not count. */
export function percentOf(successful: number, failed: number): number {
  return averageOf(successful * 100, successful + failed);
}

export function averageOf(sum: number, count: number): number {
  return count === 0 ? 0 : Math.round((sum / count) * 100) / 100;
}

export function asOutcome(row: OutcomeRow): Webhook['recent_deliveries'][number] {
  return {
    delivery_id: row.id,
    event_type: row.event_type,
    status: row.status,
    response_code: row.response_code,
    response_time: row.response_time,
    delivered_at: row.delivered_at?.toISOString() ?? null,
    attempts: row.attempts,
    ...(row.error !== null && { error: row.error, ...codedAs('error', deliveryReasons, row.error) }),
  };
}
