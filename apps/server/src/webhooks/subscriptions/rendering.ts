import { type EventType, shapeData, type WebhookFormat } from '@bottega/contract';

/** A row of the outbox, and the name of the account whose event it is. */
export type EventToRender = {
  type: EventType;
  account_id: string;
  account_name: string | null;
  data: Record<string, unknown>;
};

/** `data` as JSON text: rendered once for an event and a format, however many deliveries carry it. */
export function renderData(event: EventToRender, format: WebhookFormat): string {
  const owner = { id: event.account_id, name: event.account_name };
  return JSON.stringify(shapeData(event.type, format, event.data, owner));
}

export type Envelope = {
  event_id: string;
  /** The name under which the event is delivered. */
  name: string;
  webhook_id: string;
  delivery_id: string;
  /** Counts from 1. */
  attempt: number;
  /** When the event happened: the same at every attempt. */
  created_at: Date;
  request_id: string | null;
  idempotency_key: string | null;
  /** JSON text, as `renderData` made it. */
  data: string;
};

/**
 * The body of one attempt. Put together as text, since `data` is text already and may be large. Ids, names and times
 * need no escaping in JSON; the idempotency key is the client's own text and does.
 */
export function renderBody(format: WebhookFormat, envelope: Envelope): string {
  const { event_id, name, created_at, data } = envelope;
  switch (format) {
    case 'reference':
      return `{"event":"${name}","timestamp":"${created_at.toISOString()}","webhook_id":"${envelope.webhook_id}","delivery_id":"${envelope.delivery_id}","data":${data}}`;
    case 'core':
      return `{"id":"${event_id}","event":"${name}","timestamp":"${created_at.toISOString()}","data":${data},"delivery_attempt":${envelope.attempt}}`;
    case 'guide': {
      // Events of former versions may have no request; theirs is the only other id that says where they come from.
      const request = { id: envelope.request_id ?? event_id, idempotency_key: envelope.idempotency_key };
      const created = Math.floor(created_at.getTime() / 1000);
      return `{"id":"${event_id}","type":"${name}","created":${created},"data":${data},"request":${JSON.stringify(request)}}`;
    }
  }
}
