import { type Static, Type } from 'typebox';
import { webhookFormats } from './events/formats.ts';
import { defaulted, NullableTimestamp, named, strict, Timestamp } from './primitives.ts';
import { codeOfField } from './reasons/coded-reason.ts';
import { deliveryReasons, webhookReasons } from './reasons/reasons.ts';
import { RetryPolicy } from './retry-policies.ts';

const nullableText = Type.Union([Type.String(), Type.Null()]);

export const OffsetPage = Type.Object({ limit: Type.Integer(), offset: Type.Integer(), has_more: Type.Boolean() });

/** A pattern for paths of a project's files. */
export const pathPattern = { maxLength: 1024, pattern: '^(/|\\*\\*/)[^\\p{Cc}\\p{Cs}]*$' };

export const WebhookFilters = strict({
  projects: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'Send only events of these projects',
    }),
  ),
  paths: Type.Optional(
    Type.Array(Type.String(pathPattern), {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description:
        'Send only events whose file path matches one of these patterns, such as `/src/**/*.ts`. `*` and `?` match within a name; `**` matches any number of directories. Events without a file path are always sent.',
    }),
  ),
});
export type WebhookFilters = Static<typeof WebhookFilters>;

const counts = {
  total_deliveries: Type.Integer(),
  successful_deliveries: Type.Integer(),
  failed_deliveries: Type.Integer(),
};
const percent = Type.Number({
  description: 'Percentage of completed deliveries that succeeded; 0 if no deliveries are completed',
});
const milliseconds = Type.Number({ description: 'In milliseconds' });

const createdCounts = { ...counts, last_delivery: NullableTimestamp };
const listedCounts = { ...createdCounts, success_rate: percent };
/** Generated clients would call this `WebhookStats`, which is the name of another response. */
const DeliveryCounts = named('WebhookDeliveryCounts', { ...listedCounts, average_response_time: milliseconds });

const listed = {
  webhook_id: Type.String({ examples: ['whk_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  url: Type.String(),
  events: Type.Array(Type.String()),
  name: Type.String(),
  description: Type.String(),
  active: Type.Boolean(),
  project_id: nullableText,
  format: Type.Enum(webhookFormats),
  ordered: Type.Boolean(),
  filters: Type.Union([WebhookFilters, Type.Null()]),
  created_at: Timestamp,
  updated_at: Timestamp,
  created_by: Type.String({ description: 'User id' }),
  disabled_reason: Type.Union([Type.String(), Type.Null()], { description: 'Why the service disabled the webhook' }),
  ...codeOfField('disabled_reason', webhookReasons),
  disabled_at: NullableTimestamp,
  paused_until: Type.Union([Timestamp, Type.Null()], {
    description: 'End of the pause that follows repeated failures',
  }),
};
const details = {
  headers: Type.Record(Type.String(), Type.String()),
  timeout: Type.Number({ description: 'In seconds' }),
  retry_policy: RetryPolicy,
  previous_secret_until: Type.Union([Timestamp, Type.Null()], {
    description: 'Until this time, `webhook-signature` also includes a signature with the previous secret',
  }),
};

export const CreatedWebhook = named('CreatedWebhook', {
  ...listed,
  ...details,
  secret: Type.String(),
  stats: Type.Object(createdCounts),
});
export type CreatedWebhook = Static<typeof CreatedWebhook>;

export const ListedWebhook = named('ListedWebhook', { ...listed, stats: Type.Object(listedCounts) });
export type ListedWebhook = Static<typeof ListedWebhook>;

export const WebhookList = Type.Object({
  webhooks: Type.Array(ListedWebhook),
  total: Type.Integer(),
  pagination: OffsetPage,
});
export type WebhookList = Static<typeof WebhookList>;

const deliveryStatus = Type.Enum(['success', 'failed', 'pending']);

const codeOfFailure = codeOfField('error', deliveryReasons);
/** Why the last attempt failed. */
export const onFailure = {
  error: Type.Optional(Type.String({ description: 'Why the last attempt failed; omitted if it succeeded' })),
  error_code: Type.Optional(codeOfFailure.error_code),
  error_values: Type.Optional(codeOfFailure.error_values),
};

const outcome = {
  delivery_id: Type.String({ examples: ['dlv_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  event_type: Type.String(),
  status: deliveryStatus,
  response_code: Type.Union([Type.Integer(), Type.Null()]),
  response_time: Type.Union([Type.Integer(), Type.Null()], { description: 'In milliseconds' }),
  delivered_at: Type.Union([Timestamp, Type.Null()], { description: 'Time of the last attempt' }),
  attempts: Type.Integer(),
  ...onFailure,
};

export const Webhook = named('Webhook', {
  ...listed,
  ...details,
  secret: Type.Union([Type.String(), Type.Null()], { description: 'null without the `write:webhooks` scope' }),
  stats: DeliveryCounts,
  recent_deliveries: Type.Array(Type.Object(outcome)),
});
export type Webhook = Static<typeof Webhook>;

export const UpdatedWebhook = named('UpdatedWebhook', {
  webhook_id: listed.webhook_id,
  url: listed.url,
  events: listed.events,
  name: listed.name,
  description: listed.description,
  active: listed.active,
  timeout: details.timeout,
  retry_policy: RetryPolicy,
  ordered: listed.ordered,
  filters: listed.filters,
  updated_at: Timestamp,
});
export type UpdatedWebhook = Static<typeof UpdatedWebhook>;

export const DeletedWebhook = Type.Object({
  message: Type.String(),
  webhook_id: Type.String(),
  deleted_at: Timestamp,
});
export type DeletedWebhook = Static<typeof DeletedWebhook>;

const page = {
  limit: defaulted(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  offset: defaulted(Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 })),
};
export const OffsetQuery = Type.Object(page);
export type OffsetQuery = Static<typeof OffsetQuery>;

export const WebhookListQuery = Type.Object({
  ...page,
  project_id: Type.Optional(Type.String({ maxLength: 64 })),
  active: Type.Optional(Type.Boolean()),
  sort: defaulted(Type.Enum(['created_at', 'updated_at', 'name'], { default: 'created_at' })),
  order: defaulted(Type.Enum(['asc', 'desc'], { default: 'desc' })),
});
export type WebhookListQuery = Static<typeof WebhookListQuery>;

export const RotatedSecret = named('RotatedSecret', {
  webhook_id: Type.String(),
  secret: Type.String(),
  previous_secret_until: NullableTimestamp,
});
export type RotatedSecret = Static<typeof RotatedSecret>;
