import { type EventType, shapeData, type WebhookFormat } from '@bottega/contract';

/** The parts of an event that are rendered, with the name of the event's account. */
export type EventToRender = {
  type: EventType;
  account_id: string;
  account_name: string | null;
  data: Record<string, unknown>;
};

/** Renders `data` as JSON text. This happens once per event and format. */
export function renderData(event: EventToRender, format: WebhookFormat): string {
  const owner = { id: event.account_id, name: event.account_name };
  return JSON.stringify(shapeData(event.type, format, event.data, owner));
}

export type Envelope = {
  event_id: string;
  /** The event's name in the webhook's format. */
  name: string;
  webhook_id: string;
  delivery_id: string;
  /** The number of the attempt, from 1. */
  attempt: number;
  /** When the event happened. It is the same for every attempt. */
  created_at: Date;
  request_id: string | null;
  idempotency_key: string | null;
  /** JSON text from `renderData`. */
  data: string;
};

/**
 * The body of one attempt. It is joined as text, because `data` is already text and may be large. Ids, names and times
 * need no JSON escaping. The idempotency key does, because it is a text of the client.
 */
export function renderBody(format: WebhookFormat, envelope: Envelope): string {
  const { event_id, name, created_at, data } = envelope;
  switch (format) {
    case 'reference':
      return `{"event":"${name}","timestamp":"${created_at.toISOString()}","webhook_id":"${envelope.webhook_id}","delivery_id":"${envelope.delivery_id}","data":${data}}`;
    case 'core':
      return `{"id":"${event_id}","event":"${name}","timestamp":"${created_at.toISOString()}","data":${data},"delivery_attempt":${envelope.attempt}}`;
    case 'guide': {
      // Events of earlier versions may have no request id. In this case, the id of the event is used, because it is the
      // only other id that identifies the origin.
      const request = { id: envelope.request_id ?? event_id, idempotency_key: envelope.idempotency_key };
      const created = Math.floor(created_at.getTime() / 1000);
      return `{"id":"${event_id}","type":"${name}","created":${created},"data":${data},"request":${JSON.stringify(request)}}`;
    }
  }
}
