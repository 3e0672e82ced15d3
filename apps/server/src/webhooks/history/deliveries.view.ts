import { codedAs, type Delivery, type DeliveryDetail, deliveryReasons } from '@bottega/contract';
import { asOutcome, renderBody } from '../subscriptions/index.ts';
import type { AttemptRow, DeliveryRow } from './deliveries.sql.ts';

export function asDelivery(row: DeliveryRow): Delivery {
  return {
    ...asOutcome(row),
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    response_body: row.response_body,
    // Before the first attempt, the next attempt is not a retry.
    next_retry: row.status === 'pending' && row.attempts > 0 ? row.due_at.toISOString() : null,
    payload: JSON.parse(bodyOf(row, Math.max(1, row.attempts))),
    kind: row.kind,
    reason: row.reason,
    original_delivery_id: row.original_delivery_id,
    created_at: row.created_at.toISOString(),
  };
}

export function asDeliveryDetail(row: DeliveryRow, attempts: AttemptRow[]): DeliveryDetail {
  return {
    ...asDelivery(row),
    attempt_log: attempts.map((one) => ({
      attempt: one.attempt,
      started_at: one.started_at.toISOString(),
      response_code: one.response_code,
      response_time: one.response_time,
      error: one.error,
      ...codedAs('error', deliveryReasons, one.error),
      request: { headers: one.request_headers, body: bodyOf(row, one.attempt) },
      response: one.response_headers && { headers: one.response_headers, body: one.response_body ?? '' },
    })),
  };
}

/** The body of an attempt. Bodies are not stored, because the same parts give the same body again. */
function bodyOf(row: DeliveryRow, attempt: number): string {
  return renderBody(row.format, {
    event_id: row.event_id,
    name: row.event_type,
    webhook_id: row.webhook_id,
    delivery_id: row.id,
    attempt,
    created_at: row.event_at,
    request_id: row.request_id,
    idempotency_key: row.idempotency_key,
    data: row.data,
  });
}
