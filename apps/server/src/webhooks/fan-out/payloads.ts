import type { WebhookFormat } from '@bottega/contract';
import { renderData } from '../subscriptions/index.ts';
import type { NewPayload, OutboxEvent } from './relay.sql.ts';

/** The payload that is stored once per event and format, however many deliveries carry it. */
export function renderPayload(
  event: OutboxEvent & { data: Record<string, unknown> },
  format: WebhookFormat,
): NewPayload {
  const { id: event_id, type: event_type, created_at: event_at, request_id, idempotency_key } = event;
  return { event_id, format, event_type, event_at, request_id, idempotency_key, data: renderData(event, format) };
}
