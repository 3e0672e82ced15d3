import { type Static, Type } from 'typebox';
import { NullableTimestamp, named, strict, Timestamp } from './primitives.ts';
import { codeOfField } from './reasons/coded-reason.ts';
import { deliveryReasons } from './reasons/reasons.ts';
import { OffsetPage, OffsetQuery, onFailure } from './webhooks.ts';

const nullableText = Type.Union([Type.String(), Type.Null()]);
const anyObject = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }));
const deliveryStatuses = ['success', 'failed', 'pending'] as const;
export const status = Type.Enum(deliveryStatuses);
const responseCode = Type.Union([Type.Integer(), Type.Null()]);
const responseTime = Type.Union([Type.Integer(), Type.Null()], { description: 'In milliseconds' });

const deliveryFields = {
  delivery_id: Type.String({ examples: ['dlv_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  webhook_id: Type.String(),
  event_type: Type.String({ description: 'The delivered event name' }),
  event_id: Type.String(),
  status,
  response_code: responseCode,
  response_time: responseTime,
  response_body: Type.Union([Type.String(), Type.Null()], { description: 'Truncated after 16 KiB' }),
  delivered_at: Type.Union([Timestamp, Type.Null()], { description: 'Time of the last attempt' }),
  attempts: Type.Integer(),
  ...onFailure,
  next_retry: NullableTimestamp,
  payload: anyObject,
  kind: Type.Enum(['event', 'test', 'redelivery', 'recovery']),
  reason: Type.Union([Type.String(), Type.Null()], { description: 'Why a failed delivery is not retried' }),
  original_delivery_id: nullableText,
  created_at: Timestamp,
};

export const Delivery = named('Delivery', deliveryFields);
export type Delivery = Static<typeof Delivery>;

const Attempt = named('DeliveryAttempt', {
  attempt: Type.Integer(),
  started_at: Timestamp,
  response_code: responseCode,
  response_time: responseTime,
  error: nullableText,
  ...codeOfField('error', deliveryReasons),
  request: Type.Object({
    headers: Type.Record(Type.String(), Type.String(), { description: 'Values of custom headers are omitted' }),
    body: Type.String(),
  }),
  response: Type.Union([
    Type.Object({ headers: Type.Record(Type.String(), Type.String()), body: Type.String() }),
    Type.Null(),
  ]),
});

export const DeliveryDetail = named('DeliveryDetail', {
  ...deliveryFields,
  attempt_log: Type.Array(Attempt, { description: 'All attempts, oldest first' }),
});
export type DeliveryDetail = Static<typeof DeliveryDetail>;

export const counts = {
  total_deliveries: Type.Integer(),
  successful_deliveries: Type.Integer(),
  failed_deliveries: Type.Integer(),
};
export const percent = Type.Number({
  description: 'Percentage of completed deliveries that succeeded; 0 if no deliveries are completed',
});
const DeliveryStats = Type.Object({ ...counts, pending_deliveries: Type.Integer(), success_rate: percent });

export const DeliveryList = Type.Object({
  deliveries: Type.Array(Delivery),
  total: Type.Integer(),
  pagination: OffsetPage,
  stats: DeliveryStats,
});
export type DeliveryList = Static<typeof DeliveryList>;

/** A date means its first moment as a start, and its last moment as an end. */
export const date = Type.Union([Type.String({ format: 'date-time' }), Type.String({ format: 'date' })], {
  description: 'ISO 8601 timestamp, or a day in UTC',
});

export const DeliveryListQuery = Type.Object({
  ...OffsetQuery.properties,
  status: Type.Optional(status),
  event_type: Type.Optional(Type.String({ maxLength: 100 })),
  start_date: Type.Optional(date),
  end_date: Type.Optional(date),
});
export type DeliveryListQuery = Static<typeof DeliveryListQuery>;

export const TestWebhook = strict({
  event_type: Type.Optional(
    Type.String({ maxLength: 100, pattern: '^[a-z][a-z0-9_]*(\\.[a-z0-9_]+)*$', default: 'test.ping' }),
  ),
  payload: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'The `data` to send. Default: the event’s example.' }),
  ),
});
export type TestWebhook = Static<typeof TestWebhook>;

export const TestedWebhook = named('TestedWebhook', {
  delivery_id: deliveryFields.delivery_id,
  event_type: Type.String(),
  status,
  response_code: responseCode,
  response_time: responseTime,
  response_body: nullableText,
  delivered_at: NullableTimestamp,
  attempts: Type.Integer(),
  ...onFailure,
  webhook_url: Type.String(),
});
export type TestedWebhook = Static<typeof TestedWebhook>;

export const Redelivery = named('Redelivery', {
  delivery_id: deliveryFields.delivery_id,
  original_delivery_id: Type.String(),
  event_type: Type.String(),
  status,
  scheduled_at: Timestamp,
  webhook_url: Type.String(),
});
export type Redelivery = Static<typeof Redelivery>;

export const RecoverWebhook = strict({
  since: Type.String({ format: 'date-time' }),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Default: now' })),
});
export type RecoverWebhook = Static<typeof RecoverWebhook>;

export const RedeliverFailed = strict({
  since: Type.Optional(Type.String({ format: 'date-time' })),
  until: Type.Optional(Type.String({ format: 'date-time' })),
  event_type: Type.Optional(Type.String({ maxLength: 100 })),
});
export type RedeliverFailed = Static<typeof RedeliverFailed>;

export const ScheduledDeliveries = named('ScheduledDeliveries', {
  webhook_id: Type.String(),
  since: NullableTimestamp,
  until: Timestamp,
  scheduled: Type.Integer({ description: 'Number of deliveries created' }),
});
export type ScheduledDeliveries = Static<typeof ScheduledDeliveries>;
