import { AppError } from '../../foundation/http/index.ts';
import type { Decision } from '../../foundation/rate-limits/rate-limiter.ts';

type Refused = Decision & { refusal: NonNullable<Decision['refusal']> };

/** The documented headers, and the IETF ones (draft-ietf-httpapi-ratelimit-headers). */
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

/**
 * The error for a refused request. Its message says which limit was reached, because the headers describe only the
 * hourly window, which may allow more requests.
 */
export function rateLimitError({ refusal, remaining }: Refused): AppError {
  const { name, limit, window, resetAt, retryAfter } = refusal;
  const which =
    name === 'window'
      ? `the limit is ${limit} requests in ${window} seconds`
      : `the burst limit is ${limit} requests in ${window} seconds (${remaining} requests remain in the window that the X-RateLimit headers describe)`;
  return new AppError('RATE_LIMIT_EXCEEDED', `Too many requests: ${which}; try again in ${retryAfter} seconds`, {
    details: { limit, window, reset_at: new Date(resetAt).toISOString() },
    headers: { 'retry-after': String(retryAfter) },
  });
}
