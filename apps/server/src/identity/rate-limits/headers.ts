import { AppError } from '../../foundation/http/index.ts';
import type { Decision } from './limiter.ts';

/** The documented headers, and the IETF ones beside them (draft-ietf-httpapi-ratelimit-headers). */
export function rateLimitHeaders(decision: Decision, now: number = Date.now()): Record<string, string> {
  const untilReset = Math.max(0, Math.ceil((decision.resetAt - now) / 1000));
  const { burst } = decision;
  return {
    'x-ratelimit-limit': String(decision.limit),
    'x-ratelimit-remaining': String(decision.remaining),
    'x-ratelimit-reset': String(Math.ceil(decision.resetAt / 1000)),
    'x-ratelimit-window': String(decision.window),
    'ratelimit-policy': `"window";q=${decision.limit};w=${decision.window}, "burst";q=${burst.limit};w=${burst.window}`,
    ratelimit: `"window";r=${decision.remaining};t=${untilReset}, "burst";r=${burst.remaining};t=${burst.window}`,
  };
}

export function rateLimitError({ limit, window, resetAt, retryAfter }: NonNullable<Decision['refusal']>): AppError {
  return new AppError('RATE_LIMIT_EXCEEDED', `Too many requests: ${limit} in ${window} seconds are allowed`, {
    details: { limit, window, reset_at: new Date(resetAt).toISOString() },
    headers: { 'retry-after': String(retryAfter) },
  });
}
