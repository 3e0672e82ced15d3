import { expect, test } from 'vitest';
import { graceAfterAbsence } from './grace.ts';

test('nobody is taken for dead until so long after the database was last away', () => {
  let now = 0;
  const grace = graceAfterAbsence(1_000, () => now);
  expect(grace.isOver()).toBe(true);
  grace.wasAway();
  now = 900;
  grace.wasAway();
  now = 1_899;
  expect(grace.isOver()).toBe(false);
  now = 1_900;
  expect(grace.isOver()).toBe(true);
});
