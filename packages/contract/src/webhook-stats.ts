import { type Static, Type } from 'typebox';
import { webhookFormats } from './events/formats.ts';
import { defaulted, named, Timestamp } from './primitives.ts';
import { counts, date, percent, status } from './webhook-deliveries.ts';
import { OffsetPage } from './webhooks.ts';

const nullableText = Type.Union([Type.String(), Type.Null()]);
const anyObject = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }));

export const EventLog = Type.Object({
  events: Type.Array(
    Type.Object({
      event_id: Type.String(),
      event_type: Type.String(),
      timestamp: Timestamp,
      data: anyObject,
      deliveries: Type.Array(Type.Object({ delivery_id: Type.String(), status, attempts: Type.Integer() })),
    }),
  ),
  total: Type.Integer(),
  pagination: OffsetPage,
});
export type EventLog = Static<typeof EventLog>;

export const statsPeriods = ['hour', 'day', 'week', 'month'] as const;
export const WebhookStatsQuery = Type.Object({
  period: defaulted(Type.Enum(statsPeriods, { default: 'week', description: 'Period that ends now or at end_date' })),
  start_date: Type.Optional(date),
  end_date: Type.Optional(date),
});
export type WebhookStatsQuery = Static<typeof WebhookStatsQuery>;

const milliseconds = Type.Number({ description: 'In milliseconds' });

/** Both documented variants in one object. The four fields at the top belong to the second variant. */
export const WebhookStats = named('WebhookStats', {
  webhook_id: Type.String(),
  period: Type.Enum(statsPeriods),
  start_date: Timestamp,
  end_date: Timestamp,
  success_rate: percent,
  avg_response_time: milliseconds,
  total_events: Type.Integer(),
  failed_events: Type.Integer(),
  overall_stats: Type.Object({
    ...counts,
    pending_deliveries: Type.Integer(),
    success_rate: percent,
    average_response_time: milliseconds,
    median_response_time: milliseconds,
    p95_response_time: milliseconds,
    p99_response_time: milliseconds,
  }),
  daily_stats: Type.Array(
    Type.Object({
      date: Type.String({ format: 'date', description: 'Day in UTC' }),
      ...counts,
      success_rate: percent,
      average_response_time: milliseconds,
    }),
    { description: 'One entry per day up to today; for periods over a year, only days with deliveries' },
  ),
  event_type_stats: Type.Array(Type.Object({ event_type: Type.String(), ...counts, success_rate: percent })),
});
export type WebhookStats = Static<typeof WebhookStats>;

const Described = Type.Object({
  name: Type.String({ description: 'The event name that wildcard subscriptions receive' }),
  schema: Type.Object({}, { additionalProperties: true, description: 'JSON Schema of the entire body' }),
  example: anyObject,
});

export const EventTypeList = Type.Object({
  event_types: Type.Array(
    Type.Object({
      type: Type.String(),
      description: Type.String(),
      names: Type.Object({ reference: nullableText, core: nullableText, guide: nullableText }),
      formats: Type.Object(
        Object.fromEntries(webhookFormats.map((format) => [format, Described])) as Record<
          (typeof webhookFormats)[number],
          typeof Described
        >,
      ),
    }),
  ),
});
export type EventTypeList = Static<typeof EventTypeList>;
