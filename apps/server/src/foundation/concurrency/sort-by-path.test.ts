import { describe, expect, it } from 'vitest';
import { createBudget } from './budget.ts';
import { sortByPath } from './sort-by-path.ts';

const sorted = (paths: string[]) =>
  sortByPath(
    paths.map((path) => ({ path })),
    createBudget({ name: 'test', message: 'Too much' }),
  );

describe('paths that are sorted in slices', () => {
  it('have the same order as after one single sort, however many they are', async () => {
    for (const count of [0, 1, 2, 999, 1_000, 1_001, 5_500]) {
      const paths = Array.from({ length: count }, (_, n) => `/${(n * 7_919) % 10_007}/é${n}`);
      expect((await sorted(paths)).map(({ path }) => path)).toEqual([...paths].sort());
    }
  });

  it('let other tasks run while they are sorted', async () => {
    const paths = Array.from({ length: 50_000 }, (_, n) => `/directory/${(n * 7_919) % 50_021}`);
    let others = 0;
    const timer = setInterval(() => others++, 1);
    await sorted(paths);
    clearInterval(timer);
    expect(others).toBeGreaterThan(0);
  });
});
