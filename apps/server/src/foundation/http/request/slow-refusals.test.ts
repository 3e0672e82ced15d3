import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSlowRefusals } from './slow-refusals.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Counts the refusals that were sent. */
function refuseAll(refusals: ReturnType<typeof createSlowRefusals>, callers: string[]): () => number {
  let out = 0;
  for (const caller of callers) refusals.refuse(caller, () => out++);
  return () => out;
}

test('a caller who is refused twenty times within a second gets further refusals with a delay', () => {
  const refusals = createSlowRefusals();
  const out = refuseAll(refusals, Array(30).fill('one'));
  expect(out()).toBe(20);
  expect(refuseAll(refusals, ['another'])()).toBe(1);
  vi.advanceTimersByTime(499);
  expect(out()).toBe(20);
  vi.advanceTimersByTime(1_001);
  expect(out()).toBe(30);
});

test('a caller who has waited gets the next refusal at once', () => {
  const refusals = createSlowRefusals();
  refuseAll(refusals, Array(30).fill('one'));
  vi.advanceTimersByTime(1_500);
  expect(refuseAll(refusals, ['one'])()).toBe(1);
});

test('at most a thousand refusals are held back at a time, whoever they are for', () => {
  const refusals = createSlowRefusals();
  expect(refuseAll(refusals, Array(1_500).fill('one'))()).toBe(20 + 480);
  vi.advanceTimersByTime(1_500);
  expect(refuseAll(refusals, Array(21).fill('one'))()).toBe(20);
});
