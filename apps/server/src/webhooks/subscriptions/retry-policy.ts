import { effectiveRetryPolicy, type RetryPolicyInput, type WebhookFormat } from '@bottega/contract';

/** The end of one attempt: a response or a fault. */
export type AttemptEnd = {
  status: number | null;
  /** Null if the response is complete. `refused` means that our own rules prevented the connection. */
  fault: 'timeout' | 'network' | 'refused' | null;
  /** The delay from the Retry-After header. */
  retryAfterMs: number | null;
};

export type FailureReason = 'exhausted' | 'rejected' | 'refused' | 'gone' | 'inactive' | 'no_access';
export type NextStep =
  | { status: 'success' }
  | { status: 'pending'; delayMs: number }
  | { status: 'failed'; reason: FailureReason };

type Rules = { format: WebhookFormat; given: RetryPolicyInput | null };

/**
 * Decides what happens after this attempt. Attempts count from 1. `chance` is a random number between 0 and 1 for the
 * jitter.
 */
export function nextStep(attempt: number, end: AttemptEnd, { format, given }: Rules, chance: number): NextStep {
  const { status, fault } = end;
  if (fault === null && status !== null && status >= 200 && status < 300) return { status: 'success' };
  if (fault === 'refused') return { status: 'failed', reason: 'refused' };
  const policy = effectiveRetryPolicy(format, given);
  const isRetried =
    fault === 'timeout' ? policy.retry_on_timeout : fault === 'network' || isRetriedStatus(status ?? 0, given);
  if (!isRetried) return { status: 'failed', reason: status === 410 ? 'gone' : 'rejected' };
  if (attempt >= policy.max_attempts) return { status: 'failed', reason: 'exhausted' };
  const wanted = Math.max(backoff(attempt, format, given), retryAfter(end) ?? 0);
  // Jitter only adds time, because delays are documented as minimums. The sum stays within max_delay.
  const spread = namesItsDelays(given) ? 0 : defaultSpread * chance;
  return { status: 'pending', delayMs: Math.min(policy.max_delay, Math.round(wanted * (1 + spread))) };
}

const defaultSpread = 0.1;

/**
 * Whether a policy specifies its own strategy or delay. Such a policy is followed exactly. Only default delays get
 * jitter.
 */
const namesItsDelays = (given: RetryPolicyInput | null): boolean =>
  given?.backoff_strategy !== undefined || given?.initial_delay !== undefined;

/**
 * Whether a status is retried. By default, all statuses from 500 are retried. The documented list ends at 599, as HTTP
 * does, but higher statuses are retried too.
 */
const isRetriedStatus = (status: number, given: RetryPolicyInput | null): boolean =>
  given?.retry_on_status?.includes(status) ?? status >= 500;

function backoff(attempt: number, format: WebhookFormat, given: RetryPolicyInput | null): number {
  const { backoff_strategy: strategy, initial_delay: initial, max_delay: max } = effectiveRetryPolicy(format, given);
  return Math.min(max, initial * factor(attempt, format === 'guide' && !given?.backoff_strategy ? 'guide' : strategy));
}

function factor(attempt: number, strategy: 'linear' | 'exponential' | 'fixed' | 'guide'): number {
  switch (strategy) {
    case 'linear':
      return attempt;
    case 'exponential':
      return 2 ** (attempt - 1);
    case 'fixed':
      return 1;
    // The guide's delays: none, then 1, 2, 4 and 8 times the initial delay.
    case 'guide':
      return attempt === 1 ? 0 : 2 ** (attempt - 2);
  }
}

/** The delay from a Retry-After header. It counts only for a 429 or 503. */
function retryAfter({ status, retryAfterMs }: AttemptEnd): number | null {
  return status === 429 || status === 503 ? retryAfterMs : null;
}

/** Parses seconds or an HTTP date. Null for anything else. */
export function parseRetryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
