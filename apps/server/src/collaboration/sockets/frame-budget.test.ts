import { expect, test } from 'vitest';
import { frameBudget } from './frame-budget.ts';

test('frames wait once a burst of twice their rate is used up, and a long frame counts as several', () => {
  let at = 0;
  const budget = frameBudget(1000, () => at);
  expect(budget.frame(1_048_576)).toBe(0);
  for (let index = 0; index < 1744; index++) expect(budget.frame(100)).toBe(0);
  expect(budget.frame(100)).toBe(1);
  at += 1000;
  expect(budget.frame(4096)).toBe(0);
});

test('long answers wait for earlier answers, as frames do', () => {
  let at = 0;
  const budget = frameBudget(1000, () => at);
  const text = 2 * 1_048_576;
  for (let index = 0; index < 3; index++) expect(budget.answer(text)).toBe(0);
  expect(budget.answer(text)).toBe(48);
  expect(budget.frame(1)).toBeGreaterThan(0);
  at += 600;
  expect(budget.answer(text)).toBe(0);
});
