import { type Static, Type } from 'typebox';
import type { WebhookFormat } from './events/formats.ts';
import { named } from './primitives.ts';

const day = 86_400_000;

const statuses = Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), {
  maxItems: 100,
  uniqueItems: true,
  description: 'Status codes that cause a retry. Default: 500 and above.',
});

const fields = {
  max_attempts: Type.Integer({ minimum: 1, maximum: 25, description: 'Maximum attempts, including the first' }),
  backoff_strategy: Type.Enum(['linear', 'exponential', 'fixed'], {
    description:
      'Delay after an attempt: initial_delay × attempt (linear), initial_delay × 2^(attempt − 1) (exponential), or initial_delay (fixed). The delay never exceeds max_delay.',
  }),
  initial_delay: Type.Integer({ minimum: 0, maximum: day, description: 'In milliseconds' }),
  max_delay: Type.Integer({ minimum: 0, maximum: day, description: 'In milliseconds' }),
  retry_on_status: statuses,
  retry_on_timeout: Type.Boolean(),
};

export const RetryPolicy = named('RetryPolicy', fields);
export type RetryPolicy = Static<typeof RetryPolicy>;

const input = {
  ...fields,
  retry_on_status: Type.Union([statuses, Type.Null()], { description: 'null means 500 and above' }),
};
export const RetryPolicyInput = Type.Partial(Type.Object(input), { additionalProperties: false });
export type RetryPolicyInput = Static<typeof RetryPolicyInput>;

const reference: RetryPolicy = {
  max_attempts: 3,
  backoff_strategy: 'exponential',
  initial_delay: 1000,
  max_delay: 60_000,
  retry_on_status: Array.from({ length: 100 }, (_, index) => 500 + index),
  retry_on_timeout: true,
};

/** The five retries of the guide format come after 0, 1, 2, 4 and 8 s, unless the given policy contains a strategy. */
export const defaultRetryPolicies: Readonly<Record<WebhookFormat, RetryPolicy>> = {
  reference,
  core: reference,
  guide: { ...reference, max_attempts: 6 },
};

export function effectiveRetryPolicy(format: WebhookFormat, given: RetryPolicyInput | null): RetryPolicy {
  const policy = defaultRetryPolicies[format];
  return { ...policy, ...given, retry_on_status: given?.retry_on_status ?? policy.retry_on_status };
}
