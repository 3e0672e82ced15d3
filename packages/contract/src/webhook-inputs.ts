import { type Static, Type } from 'typebox';
import { webhookFormats } from './events/formats.ts';
import { lineOfText, linesOfText, strict } from './primitives.ts';
import { acceptingReadOnly } from './read-only.ts';
import { RetryPolicyInput } from './retry-policies.ts';
import { Webhook, WebhookFilters } from './webhooks.ts';

const input = {
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    pattern: lineOfText,
    examples: ['https://hooks.example.com/bottega'],
    description: 'https, without user name and password',
  }),
  events: Type.Array(Type.String({ maxLength: 100, format: 'event-name' }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    examples: [['project.*', 'file.updated']],
    description:
      'Names of any of the three taxonomies, `*`, or the beginning of names such as `project.*`. The first that matches names the event.',
  }),
  name: Type.String({ minLength: 1, maxLength: 100, pattern: lineOfText }),
  description: Type.String({ maxLength: 10_000, pattern: linesOfText }),
  secret: Type.String({
    minLength: 1,
    maxLength: 512,
    pattern: lineOfText,
    description: '`whsec_` and base64, or any text. Generated where it is missing.',
  }),
  active: Type.Boolean(),
  headers: Type.Record(
    Type.String(),
    Type.String({ maxLength: 4096, pattern: '^[\\t\\x20-\\x7e]*$', description: 'Printable ASCII' }),
    { maxProperties: 50, description: 'Sent with every delivery; names that the service itself sets are refused' },
  ),
  timeout: Type.Number({ minimum: 1, description: 'Seconds for the whole exchange; 60 at most' }),
  retry_policy: Type.Union([RetryPolicyInput, Type.Null()], {
    description:
      'Merged with that of the format. In a change, what is absent stays as it is, and null returns to that of the format',
  }),
  ordered: Type.Boolean({
    description: 'Deliveries of one project one after the other, in the order of its events',
  }),
  filters: Type.Union([WebhookFilters, Type.Null()]),
};

const optional = {
  description: Type.Optional(input.description),
  secret: Type.Optional(Type.Union([input.secret, Type.Null()])),
  active: Type.Optional(input.active),
  headers: Type.Optional(Type.Union([input.headers, Type.Null()])),
  timeout: Type.Optional(input.timeout),
  retry_policy: Type.Optional(input.retry_policy),
  ordered: Type.Optional(input.ordered),
  filters: Type.Optional(input.filters),
};
const atBirth = {
  project_id: Type.Optional(Type.Union([Type.String({ maxLength: 64 }), Type.Null()])),
  format: Type.Optional(Type.Enum(webhookFormats, { description: 'Envelope, own event names and default retries' })),
};

export const CreateWebhook = Type.Object(
  { url: input.url, events: input.events, name: input.name, ...optional, ...atBirth },
  {
    additionalProperties: false,
    examples: [{ url: 'https://hooks.example.com/bottega', events: ['project.*', 'file.updated'], name: 'Deploy' }],
  },
);
export type CreateWebhook = Static<typeof CreateWebhook>;

/** As the core API lists it: without a name, the host of its url is its name. */
export const CreateCoreWebhook = Type.Object(
  { url: input.url, events: input.events, name: Type.Optional(input.name), ...optional, ...atBirth },
  {
    additionalProperties: false,
    examples: [{ url: 'https://hooks.example.com/bottega', events: ['deployment.completed'], secret: 'a secret' }],
  },
);
export type CreateCoreWebhook = Static<typeof CreateCoreWebhook>;

/** What is absent stays; `format` and `project_id` are for life. */
export const UpdateWebhook = acceptingReadOnly(
  {
    url: Type.Optional(input.url),
    events: Type.Optional(input.events),
    name: Type.Optional(input.name),
    ...optional,
  },
  Webhook,
);
export type UpdateWebhook = Static<typeof UpdateWebhook>;

export const RotateSecret = strict({
  secret: Type.Optional(input.secret),
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30 * 86_400,
      default: 86_400,
      description: 'How long `webhook-signature` goes on carrying the former secret',
    }),
  ),
});
export type RotateSecret = Static<typeof RotateSecret>;
