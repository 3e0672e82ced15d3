import type { RetryPolicyInput, WebhookFormat } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { type AttemptEnd, nextStep, parseRetryAfter } from './retry-policy.ts';

const answered = (status: number, retryAfterMs: number | null = null): AttemptEnd => ({
  status,
  fault: null,
  retryAfterMs,
});
const fault = (kind: 'timeout' | 'network' | 'refused'): AttemptEnd => ({
  status: null,
  fault: kind,
  retryAfterMs: null,
});

function delays(format: WebhookFormat, given: RetryPolicyInput | null, chance = 0): number[] {
  const found: number[] = [];
  for (let attempt = 1; ; attempt++) {
    const step = nextStep(attempt, answered(500), { format, given }, chance);
    if (step.status !== 'pending') return found;
    found.push(step.delayMs);
  }
}

describe('the delays between attempts', () => {
  test.each<[string, WebhookFormat, RetryPolicyInput | null, number[]]>([
    ['reference: three attempts, exponential', 'reference', null, [1000, 2000]],
    ['core: the same', 'core', null, [1000, 2000]],
    ['guide: five retries, the first at once', 'guide', null, [0, 1000, 2000, 4000, 8000]],
    ['guide: goes on doubling', 'guide', { max_attempts: 8 }, [0, 1000, 2000, 4000, 8000, 16_000, 32_000]],
    [
      'guide with a strategy: its formula',
      'guide',
      { backoff_strategy: 'exponential' },
      [1000, 2000, 4000, 8000, 16_000],
    ],
    ['guide with another first delay', 'guide', { initial_delay: 100, max_attempts: 4 }, [0, 100, 200]],
    ['linear', 'reference', { backoff_strategy: 'linear', max_attempts: 4, initial_delay: 500 }, [500, 1000, 1500]],
    ['fixed', 'reference', { backoff_strategy: 'fixed', max_attempts: 4, initial_delay: 500 }, [500, 500, 500]],
    ['exponential', 'reference', { backoff_strategy: 'exponential', max_attempts: 5 }, [1000, 2000, 4000, 8000]],
    ['none above max_delay', 'reference', { max_attempts: 5, max_delay: 3000 }, [1000, 2000, 3000, 3000]],
    ['none where there is one attempt', 'reference', { max_attempts: 1 }, []],
  ])('%s', (_name, format, given, expected) => {
    expect(delays(format, given)).toEqual(expected);
  });

  test('are spread upwards only, and never beyond max_delay', () => {
    const given = { max_attempts: 5, max_delay: 4100 };
    expect(delays('reference', given, 1)).toEqual([1100, 2200, 4100, 4100]);
    expect(delays('guide', null, 1)).toEqual([0, 1100, 2200, 4400, 8800]);
  });

  test.each<[RetryPolicyInput, number[]]>([
    [{ backoff_strategy: 'fixed' }, [1000, 1000]],
    [{ backoff_strategy: 'linear' }, [1000, 2000]],
    [{ backoff_strategy: 'exponential' }, [1000, 2000]],
    [{ initial_delay: 500 }, [500, 1000]],
  ])('Webhooks API, retry_policy: %j is followed to the millisecond', (given, expected) => {
    expect(delays('reference', given, 1)).toEqual(expected);
  });
});

describe('an attempt', () => {
  const step = (end: AttemptEnd, given: RetryPolicyInput | null = null, attempt = 1) =>
    nextStep(attempt, end, { format: 'reference', given }, 0);

  test.each([500, 502, 503, 504, 599])('with status %i is tried again', (status) => {
    expect(step(answered(status)).status).toBe('pending');
  });
  test.each([301, 302, 307, 400, 401, 403, 404, 429])('with status %i is not tried again', (status) => {
    expect(step(answered(status))).toEqual({ status: 'failed', reason: 'rejected' });
  });
  test.each([200, 201, 202, 204, 299])('with status %i has succeeded', (status) => {
    expect(step(answered(status))).toEqual({ status: 'success' });
  });
  test('is judged by retry_on_status instead of the rule of 500 and above', () => {
    const given = { retry_on_status: [429, 404] };
    expect(step(answered(429), given).status).toBe('pending');
    expect(step(answered(500), given)).toEqual({ status: 'failed', reason: 'rejected' });
    expect(step(answered(500), { retry_on_status: [] })).toEqual({ status: 'failed', reason: 'rejected' });
  });
  test('is tried again after a network error, and after a timeout unless the policy says no', () => {
    expect(step(fault('network'), { retry_on_status: [] }).status).toBe('pending');
    expect(step(fault('timeout')).status).toBe('pending');
    expect(step(fault('timeout'), { retry_on_timeout: false })).toEqual({ status: 'failed', reason: 'rejected' });
  });
  test('is never tried again if the address is not allowed', () => {
    expect(step(fault('refused'))).toEqual({ status: 'failed', reason: 'refused' });
  });
  test('Webhooks API, retry_policy: a 410 is retried if retry_on_status names it, and otherwise ends the webhook', () => {
    expect(step(answered(410), { retry_on_status: [410] }).status).toBe('pending');
    expect(step(answered(410), { retry_on_status: [410] }, 3)).toEqual({ status: 'failed', reason: 'exhausted' });
    expect(step(answered(410), { retry_on_status: [500] })).toEqual({ status: 'failed', reason: 'gone' });
    expect(step(answered(410))).toEqual({ status: 'failed', reason: 'gone' });
  });
  test('is not tried again once all attempts are used up', () => {
    expect(step(answered(500), null, 3)).toEqual({ status: 'failed', reason: 'exhausted' });
  });
});

describe('Retry-After', () => {
  const given = { retry_on_status: [429, 503, 500] };
  const step = (end: AttemptEnd, more: RetryPolicyInput = {}) =>
    nextStep(1, end, { format: 'reference', given: { ...given, ...more } }, 0);

  test.each([429, 503])('of a %i is respected if it is longer than the delay', (status) => {
    expect(step(answered(status, 7000))).toEqual({ status: 'pending', delayMs: 7000 });
    expect(step(answered(status, 10))).toEqual({ status: 'pending', delayMs: 1000 });
  });
  test('is respected up to max_delay only', () => {
    expect(step(answered(429, 90_000))).toEqual({ status: 'pending', delayMs: 60_000 });
  });
  test('is ignored for any other status', () => {
    expect(step(answered(500, 7000))).toEqual({ status: 'pending', delayMs: 1000 });
  });
  test('may be seconds or a date, and is ignored otherwise', () => {
    const now = new Date('2026-01-01T00:00:00Z');
    expect(parseRetryAfter('120', now)).toBe(120_000);
    expect(parseRetryAfter('Thu, 01 Jan 2026 00:00:30 GMT', now)).toBe(30_000);
    expect(parseRetryAfter('Thu, 01 Jan 2015 00:00:30 GMT', now)).toBe(0);
    for (const odd of [undefined, '', 'soon', '-1'])
      expect(parseRetryAfter(odd, now)).toSatisfy((ms) => ms === null || ms === 0);
  });
});
