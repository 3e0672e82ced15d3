import { type Static, Type } from 'typebox';
import type { WebhookFormat } from './events/formats.ts';
import { named } from './primitives.ts';

const day = 86_400_000;

const fields = {
  max_attempts: Type.Integer({ minimum: 1, maximum: 25, description: 'The first one included' }),
  backoff_strategy: Type.Enum(['linear', 'exponential', 'fixed'], {
    description:
      'Delay after an attempt: initial_delay × attempt, initial_delay × 2^(attempt − 1), or initial_delay; at most max_delay',
  }),
  initial_delay: Type.Integer({ minimum: 0, maximum: day, description: 'Milliseconds' }),
  max_delay: Type.Integer({ minimum: 0, maximum: day, description: 'Milliseconds' }),
  retry_on_status: Type.Union(
    [Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), { maxItems: 100, uniqueItems: true }), Type.Null()],
    { description: 'The statuses after which is tried again; null: 500 and above' },
  ),
  retry_on_timeout: Type.Boolean(),
};

export const RetryPolicy = named('RetryPolicy', fields);
export type RetryPolicy = Static<typeof RetryPolicy>;

export const RetryPolicyInput = Type.Partial(Type.Object(fields), { additionalProperties: false });
export type RetryPolicyInput = Static<typeof RetryPolicyInput>;

const reference: RetryPolicy = {
  max_attempts: 3,
  backoff_strategy: 'exponential',
  initial_delay: 1000,
  max_delay: 60_000,
  retry_on_status: null,
  retry_on_timeout: true,
};

/** The guide's five retries come after 0, 1, 2, 4 and 8 s, unless the policy that was given names a strategy. */
export const defaultRetryPolicies: Readonly<Record<WebhookFormat, RetryPolicy>> = {
  reference,
  core: reference,
  guide: { ...reference, max_attempts: 6 },
};

export function effectiveRetryPolicy(format: WebhookFormat, given: RetryPolicyInput | null): RetryPolicy {
  return { ...defaultRetryPolicies[format], ...given };
}
