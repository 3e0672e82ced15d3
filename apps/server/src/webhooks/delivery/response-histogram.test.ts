import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketLows, percentileOf } from './response-histogram.ts';

/** Counts as the database does. */
const bucketOf = (ms: number): number => bucketLows.findLastIndex((low) => low <= ms);

test('percentiles are within 5 % of the exact ones, and exact up to 20 ms', () => {
  const times = fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(times, fc.constantFrom(0.5, 0.95), (values, share) => {
      const histogram = new Map<number, number>();
      for (const value of values) histogram.set(bucketOf(value), (histogram.get(bucketOf(value)) ?? 0) + 1);
      const exact = values.sort((one, other) => one - other)[Math.max(1, Math.ceil(share * values.length)) - 1] ?? 0;
      expect(Math.abs(percentileOf(histogram, share) - exact)).toBeLessThanOrEqual(exact <= 20 ? 0 : exact * 0.05);
    }),
  );
});

test('percentiles of nothing are 0, and the last bucket takes every slow response', () => {
  expect(percentileOf(new Map(), 0.5)).toBe(0);
  expect(bucketOf(0)).toBe(0);
  expect(bucketOf(1e12)).toBe(bucketLows.length - 1);
});
