import type { WebhookStats } from '@bottega/contract';
import { expect, test } from 'vitest';
import { daysOf, rateOf } from './days.ts';

test('a day without deliveries is included, with zeros and without a rate', () => {
  const day = { total_deliveries: 3, successful_deliveries: 2, failed_deliveries: 1 };
  const stats = {
    start_date: '2026-01-30T13:00:00.000Z',
    end_date: '2026-02-01T12:59:59.999Z',
    daily_stats: [{ date: '2026-01-30', ...day, success_rate: 66.7, average_response_time: 12 }],
  } as WebhookStats;
  expect(daysOf(stats)).toEqual([
    { date: '2026-01-30', arrived: 2, failed: 1, rate: 66.7, average: 12 },
    { date: '2026-01-31', arrived: 0, failed: 0, rate: null, average: null },
    { date: '2026-02-01', arrived: 0, failed: 0, rate: null, average: null },
  ]);
});

test('the success rate counts only finished deliveries, and does not exist without any', () => {
  expect(rateOf({ successful_deliveries: 0, failed_deliveries: 0, success_rate: 0 })).toBeNull();
  expect(rateOf({ successful_deliveries: 0, failed_deliveries: 2, success_rate: 0 })).toBe(0);
});
