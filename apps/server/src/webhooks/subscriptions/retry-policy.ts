import { effectiveRetryPolicy, type RetryPolicyInput, type WebhookFormat } from '@bottega/contract';

/** How one attempt ended: an answer, or a fault on the way to it. */
export type AttemptEnd = {
  status: number | null;
  /** Null: answered in full. `refused`: our own rules let no connection happen. */
  fault: 'timeout' | 'network' | 'refused' | null;
  /** From the Retry-After header. */
  retryAfterMs: number | null;
};

export type FailureReason = 'exhausted' | 'rejected' | 'refused' | 'gone' | 'inactive' | 'no_access';
export type NextStep =
  | { status: 'success' }
  | { status: 'pending'; delayMs: number }
  | { status: 'failed'; reason: FailureReason };

type Rules = { format: WebhookFormat; given: RetryPolicyInput | null };

/** What comes after the attempt with this number; the first one is 1. `chance` is from 0 to 1. */
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
  // Spread upwards only: a delay is documented as the least, and nothing is above max_delay.
  const spread = namesItsDelays(given) ? 0 : defaultSpread * chance;
  return { status: 'pending', delayMs: Math.min(policy.max_delay, Math.round(wanted * (1 + spread))) };
}

const defaultSpread = 0.1;

/** Whoever chose a strategy or a delay gets what its formula says; only the delays of a default are ours to spread. */
const namesItsDelays = (given: RetryPolicyInput | null): boolean =>
  given?.backoff_strategy !== undefined || given?.initial_delay !== undefined;

/** The list in an answer ends at 599, as HTTP does; receivers that know more statuses are retried by the rule's words. */
const isRetriedStatus = (status: number, given: RetryPolicyInput | null): boolean =>
  given?.retry_on_status?.includes(status) ?? status >= 500;

function backoff(attempt: number, format: WebhookFormat, given: RetryPolicyInput | null): number {
  const { backoff_strategy: strategy, initial_delay: initial, max_delay: most } = effectiveRetryPolicy(format, given);
  return Math.min(most, initial * factor(attempt, format === 'guide' && !given?.backoff_strategy ? 'guide' : strategy));
}

function factor(attempt: number, strategy: 'linear' | 'exponential' | 'fixed' | 'guide'): number {
  switch (strategy) {
    case 'linear':
      return attempt;
    case 'exponential':
      return 2 ** (attempt - 1);
    case 'fixed':
      return 1;
    // The guide's own: at once, then 1, 2, 4, 8 times.
    case 'guide':
      return attempt === 1 ? 0 : 2 ** (attempt - 2);
  }
}

/** The two statuses with which a receiver says when it wants to hear from us again. */
function retryAfter({ status, retryAfterMs }: AttemptEnd): number | null {
  return status === 429 || status === 503 ? retryAfterMs : null;
}

/** Seconds or an HTTP date; null for anything else. */
export function parseRetryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
