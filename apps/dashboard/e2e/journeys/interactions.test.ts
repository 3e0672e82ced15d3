import { expect, test } from 'vitest';
import { summaryOf } from './interactions.ts';

const taking = (ms: number) => ({ id: String(ms), ms, what: `click on button "${ms}"`, where: '/projects' });

test('a summary has the 95th percentile and the five slowest interactions, the slowest first', () => {
  const all = Array.from({ length: 100 }, (_, index) => taking((index + 1) * 8));
  expect(summaryOf(all).split('\n')).toEqual([
    'Interactions of 16 ms or more: 100, 95th percentile 760 ms',
    ...[800, 792, 784, 776, 768].map((ms) => `  ${ms} ms  click on button "${ms}", at /projects`),
    '',
  ]);
  expect(summaryOf([taking(24)])).toContain('1, 95th percentile 24 ms');
  expect(summaryOf([])).toBe('Interactions: none took 16 ms\n');
});
