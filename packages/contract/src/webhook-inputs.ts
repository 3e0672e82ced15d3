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
    description: 'An https URL without a user name or password',
  }),
  events: Type.Array(Type.String({ maxLength: 100, format: 'event-name' }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    examples: [['project.*', 'file.updated']],
    description:
      'Event names in any of the three formats, prefixes such as `project.*`, or `*`. The first matching entry determines the delivered event name.',
  }),
  name: Type.String({ minLength: 1, maxLength: 100, pattern: lineOfText }),
  description: Type.String({ maxLength: 10_000, pattern: linesOfText }),
  secret: Type.String({
    minLength: 1,
    maxLength: 512,
    pattern: lineOfText,
    description: '`whsec_` followed by base64, or any text. Default: a generated secret.',
  }),
  active: Type.Boolean(),
  headers: Type.Record(
    Type.String(),
    Type.String({ maxLength: 4096, pattern: '^[\\t\\x20-\\x7e]*$', description: 'Printable ASCII' }),
    {
      maxProperties: 50,
      description: 'Sent with every delivery. Headers that the service sets itself are not allowed.',
    },
  ),
  timeout: Type.Number({ minimum: 1, description: 'Timeout for the entire request in seconds; at most 60' }),
  retry_policy: Type.Union([RetryPolicyInput, Type.Null()], {
    description:
      'Overrides parts of the format’s default policy. In an update, omitted fields keep their values, and null restores the default.',
  }),
  ordered: Type.Boolean({
    description: 'Whether to send a project’s deliveries one at a time, in the order of its events',
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
  format: Type.Optional(
    Type.Enum(webhookFormats, { description: 'Determines the payload, the event names and the default retry policy' }),
  ),
};

export const CreateWebhook = Type.Object(
  { url: input.url, events: input.events, name: input.name, ...optional, ...atBirth },
  {
    additionalProperties: false,
    examples: [{ url: 'https://hooks.example.com/bottega', events: ['project.*', 'file.updated'], name: 'Deploy' }],
  },
);
export type CreateWebhook = Static<typeof CreateWebhook>;

/** A webhook of the core API. Without a name, its name is the host of its URL. */
export const CreateCoreWebhook = Type.Object(
  { url: input.url, events: input.events, name: Type.Optional(input.name), ...optional, ...atBirth },
  {
    additionalProperties: false,
    examples: [{ url: 'https://hooks.example.com/bottega', events: ['deployment.completed'], secret: 'a secret' }],
  },
);
export type CreateCoreWebhook = Static<typeof CreateCoreWebhook>;

/** Absent fields stay as they are. `format` and `project_id` cannot be changed. */
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
      description: 'Number of seconds for which `webhook-signature` also includes a signature with the previous secret',
    }),
  ),
});
export type RotateSecret = Static<typeof RotateSecret>;
