import { type TObject, type TSchema, Type } from 'typebox';
import { Timestamp } from '../primitives.ts';
import type { WebhookFormat } from './shapes.ts';

/** The whole body of a delivery, by format. `names`: those that the event may arrive under. */
export function envelopeSchema(format: WebhookFormat, names: readonly string[], data: TSchema): TObject {
  const name = Type.Enum([...names]);
  const fields: Record<WebhookFormat, Record<string, TSchema>> = {
    reference: {
      event: name,
      timestamp: Timestamp,
      webhook_id: Type.String(),
      delivery_id: Type.String({ description: 'The same at every attempt of the delivery' }),
      data,
    },
    core: {
      id: Type.String({ description: 'Of the event' }),
      event: name,
      timestamp: Timestamp,
      data,
      delivery_attempt: Type.Integer({ minimum: 1 }),
    },
    guide: {
      id: Type.String({ description: 'Of the event' }),
      type: name,
      created: Type.Integer({ description: 'Seconds since 1970' }),
      data,
      request: Type.Object(
        {
          id: Type.Union([Type.String(), Type.Null()], { description: 'null where no request caused it' }),
          idempotency_key: Type.Union([Type.String(), Type.Null()]),
        },
        { additionalProperties: false },
      ),
    },
  };
  return Type.Object(fields[format], { additionalProperties: false });
}
