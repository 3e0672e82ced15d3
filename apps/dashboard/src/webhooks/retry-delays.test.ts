import { effectiveRetryPolicy } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { delaysOf, statusesIn } from './retry-delays.ts';

describe('the delays of a retry policy', () => {
  test.each([
    ['exponential', [1000, 2000, 4000, 5000]],
    ['linear', [1000, 2000, 3000, 4000]],
    ['fixed', [1000, 1000, 1000, 1000]],
  ] as const)('follow the strategy: %s', (backoff_strategy, delays) => {
    const policy = { ...effectiveRetryPolicy('reference', null), max_attempts: 5, max_delay: 5000, backoff_strategy };
    expect(delaysOf(policy)).toEqual(delays);
    expect(delaysOf({ ...policy, max_attempts: 1 })).toEqual([]);
  });
});

test('statuses are parsed from the typed text, and an empty text means the default statuses', () => {
  expect(statusesIn('500, 502 503;503')).toEqual([500, 502, 503]);
  expect(statusesIn('  ')).toBeNull();
  for (const wrong of ['abc', '99', '600', '500.5']) expect(statusesIn(wrong)).toBeUndefined();
});
