import { type Static, Type } from 'typebox';
import { webhookFormats } from './events/formats.ts';
import { defaulted, lineOfText, named } from './primitives.ts';
import { pathPattern } from './webhooks.ts';

const anyObject = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }));

/** A position in the events of the service, opaque to clients. */
export const eventCursor = Type.String({
  minLength: 1,
  maxLength: 8192,
  pattern: '^[A-Za-z0-9_-]*$',
  description:
    'Return only events after this cursor, which is the `next` value of a page or the id of a server-sent event',
});

export const EventListQuery = Type.Object({
  types: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      pattern: lineOfText,
      format: 'event-names',
      examples: ['file.*,deployment.completed'],
      description:
        'Event names in any of the three formats, prefixes such as `file.*`, or `*`, separated by commas. ' +
        'Default: every event that the credential can read.',
    }),
  ),
  project_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Filter by project' })),
  path: Type.Optional(
    Type.String({
      ...pathPattern,
      minLength: 1,
      description:
        'Return only events whose file path matches this pattern, such as `/src/**/*.ts`. `*` and `?` match within a name; `**` matches any number of directories. Events without a file path are always included.',
    }),
  ),
  format: defaulted(Type.Enum(webhookFormats, { default: 'core', description: 'Webhook payload format' })),
  after: Type.Optional(eventCursor),
  order: defaulted(
    Type.Enum(['asc', 'desc'], {
      default: 'asc',
      description:
        '`desc` returns the newest events first and cannot be combined with `after`. It searches only the last 20,000 events of the service. `next` then returns later events.',
    }),
  ),
  limit: defaulted(Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Page size' })),
});
export type EventListQuery = Static<typeof EventListQuery>;

const bodies = {
  reference: named('ReferenceEvent', {
    event: Type.String({ examples: ['file.updated'] }),
    timestamp: Type.String({ format: 'date-time' }),
    webhook_id: Type.String({ description: 'Always `stream`, because no webhook sent the event' }),
    delivery_id: Type.String({ description: 'Same as the event id' }),
    data: anyObject,
  }),
  core: named('CoreEvent', {
    id: Type.String({ examples: ['evt_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
    event: Type.String({ examples: ['file.updated'] }),
    timestamp: Type.String({ format: 'date-time' }),
    data: anyObject,
    delivery_attempt: Type.Integer({ description: 'Always 1' }),
  }),
  guide: named('GuideEvent', {
    id: Type.String({ examples: ['evt_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
    type: Type.String({ examples: ['file.uploaded'] }),
    created: Type.Integer({ description: 'Unix time in seconds' }),
    data: anyObject,
    request: Type.Object({ id: Type.String(), idempotency_key: Type.Union([Type.String(), Type.Null()]) }),
  }),
};

/** One event in the requested format: the body that a webhook of that format gets. */
export const StreamedEvent = Type.Union([bodies.core, bodies.reference, bodies.guide]);
export type StreamedEvent = Static<typeof StreamedEvent>;

export const EventPage = named('EventPage', {
  data: Type.Array(StreamedEvent),
  pagination: Type.Object({
    limit: Type.Integer(),
    has_more: Type.Boolean({
      description: 'Whether more events may be available now, even if this page is not full',
    }),
    next: Type.String({ description: 'Cursor to pass as `after` to get the following events, now or later' }),
  }),
});
export type EventPage = Static<typeof EventPage>;
