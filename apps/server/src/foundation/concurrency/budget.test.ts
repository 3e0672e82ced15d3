import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BudgetExceeded, createBudget } from './budget.ts';

const named = { name: 'test', message: 'Too much' };

describe('a budget', () => {
  it('can be spent to its last entry and byte, and refuses one more', () => {
    const budget = createBudget({ ...named, entries: 2, bytes: 10 });
    budget.spend({ entries: 1, bytes: 10 });
    budget.spend({ entries: 1 });
    expect(() => budget.spend({ bytes: 1 })).toThrow(BudgetExceeded);
    expect(() => createBudget({ ...named, entries: 2 }).spend({ entries: 3 })).toThrow('Too much');
  });

  it('runs out of time by itself', async () => {
    const budget = createBudget({ ...named, ms: 0 });
    await nextTurn();
    expect(() => budget.spend({ entries: 1 })).toThrow(BudgetExceeded);
  });

  it('that is exceeded leads to a 422 that names it', () => {
    const error = new BudgetExceeded(named);
    expect(error).toMatchObject({ status: 422, code: 'VALIDATION_ERROR', message: 'Too much', budget: 'test' });
  });

  it('spends only what it can afford, for work that can do with less', () => {
    const budget = createBudget({ ...named, entries: 100, bytes: 10 });
    expect([8, 8, 2].map((bytes) => budget.affords({ bytes }))).toEqual([true, false, true]);
    expect(budget.spent()).toEqual({ entries: 0, bytes: 10 });
  });

  it('lets other tasks run during a long walk', async () => {
    const budget = createBudget(named);
    let others = 0;
    const timer = setInterval(() => others++, 1);
    const end = performance.now() + 200;
    while (performance.now() < end) await budget.maybeYield();
    clearInterval(timer);
    expect(others).toBeGreaterThan(2);
  });
});
