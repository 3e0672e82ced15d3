import {
  dataSchema,
  type EventType,
  type EventTypeList,
  envelopeSchema,
  eventCatalogue,
  eventTypes,
  namesOf,
  ownNameOf,
  PingData,
  pingName,
  type WebhookFormat,
  webhookFormats,
} from '@bottega/contract';
import { Type } from 'typebox';
import { renderBody, renderData } from './rendering.ts';

const exampleEnvelope = {
  event_id: 'evt_01jd2m6vz8e3r9x5k7q4w1t0ab',
  webhook_id: 'whk_01jd2m6vz8e3r9x5k7q4w1t0ab',
  delivery_id: 'dlv_01jd2m6vz8e3r9x5k7q4w1t0ab',
  attempt: 1,
  created_at: new Date('2026-01-03T03:05:42.000Z'),
  request_id: 'req_01jd2m6vz8e3r9x5k7q4w1t0ab',
  idempotency_key: null,
};

/** The `data` of a type's example in a format. A test delivery for the type also sends this `data`. */
export function exampleData(type: EventType, format: WebhookFormat): string {
  const { example: data } = eventCatalogue[type];
  return renderData({ type, data, account_id: 'usr_01jd2m6vz8e3r9x5k7q4w1t0ab', account_name: 'Ada Lovelace' }, format);
}

/**
 * The `data` of a ping. A ping is about no object of the service, so the formats differ only in the guide's wrapping.
 */
export function pingData(webhook: { id: string; name: string }, format: WebhookFormat): string {
  const data = { webhook_id: webhook.id, webhook_name: webhook.name, message: 'This is a test: the webhook works' };
  return JSON.stringify(format === 'guide' ? { object: data } : data);
}

const pingSchema = (format: WebhookFormat) =>
  format === 'guide' ? Type.Object({ object: PingData }, { additionalProperties: false }) : PingData;

/** Finds the event type with this name. If two types have this name, returns the first one. */
export function typeNamed(name: string): EventType | undefined {
  return eventTypes.find((type) => type === name) ?? eventTypes.find((type) => namesOf(type).includes(name));
}

/** All event types, with a JSON Schema and an example of the whole body for each format. */
export function eventTypeList(): EventTypeList {
  const types = eventTypes.map((type) => ({
    type,
    description: eventCatalogue[type].description,
    names: eventCatalogue[type].names,
    formats: inEachFormat((format) => {
      const name = ownNameOf(type, format);
      const body = renderBody(format, { ...exampleEnvelope, name, data: exampleData(type, format) });
      return { name, schema: envelopeSchema(format, namesOf(type), dataSchema(type, format)), example: body };
    }),
  }));
  const ping = {
    type: pingName,
    description: 'Sent by the test endpoint',
    names: { reference: pingName, core: pingName, guide: pingName },
    formats: inEachFormat((format) => {
      const data = pingData({ id: exampleEnvelope.webhook_id, name: 'Example' }, format);
      const body = renderBody(format, { ...exampleEnvelope, name: pingName, data });
      return { name: pingName, schema: envelopeSchema(format, [pingName], pingSchema(format)), example: body };
    }),
  };
  return { event_types: [...types, ping] };
}

type Described = { name: string; schema: object; example: string };

function inEachFormat(describe: (format: WebhookFormat) => Described): EventTypeList['event_types'][number]['formats'] {
  const entries = webhookFormats.map((format) => {
    const { name, schema, example: body } = describe(format);
    return [format, { name, schema: structuredClone(schema), example: JSON.parse(body) }] as const;
  });
  return Object.fromEntries(entries) as EventTypeList['event_types'][number]['formats'];
}
