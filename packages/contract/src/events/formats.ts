import { type TObject, type TSchema, Type } from 'typebox';
import { Timestamp } from '../primitives.ts';
import { exactly, orNull, text } from './fields.ts';

export const webhookFormats = ['reference', 'core', 'guide'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

/** The whole body of a delivery, by format. `names` are all names under which the event may arrive. */
export function envelopeSchema(format: WebhookFormat, names: readonly string[], data: TSchema): TObject {
  const name = Type.Enum([...names]);
  const eventId = Type.String({ description: 'Event id' });
  const fields: Record<WebhookFormat, Record<string, TSchema>> = {
    reference: {
      event: name,
      timestamp: Timestamp,
      webhook_id: text,
      delivery_id: Type.String({ description: 'Same value in every attempt of the delivery' }),
      data,
    },
    core: { id: eventId, event: name, timestamp: Timestamp, data, delivery_attempt: Type.Integer({ minimum: 1 }) },
    guide: {
      id: eventId,
      type: name,
      created: Type.Integer({ description: 'Unix time in seconds' }),
      data,
      request: exactly({
        id: Type.String({
          description:
            'Id of the request that caused the event. For a live edit, this is the request that opened the socket. For a command, it is the id of the run.',
        }),
        idempotency_key: orNull(text),
      }),
    },
  };
  return exactly(fields[format]);
}

/** The data of a test for which the caller sends no payload. */
export const PingData = exactly({ webhook_id: text, webhook_name: text, message: text });
