import { expect, test } from 'vitest';
import { graceAfterOutage } from './grace.ts';

test('nobody is considered dead for some time after the last outage of the database', () => {
  let now = 0;
  const grace = graceAfterOutage(1_000, () => now);
  expect(grace.isOver()).toBe(true);
  grace.noteOutage();
  now = 900;
  grace.noteOutage();
  now = 1_899;
  expect(grace.isOver()).toBe(false);
  now = 1_900;
  expect(grace.isOver()).toBe(true);
});
