import { createHash } from 'node:crypto';
import type { Trx } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { type BudgetRow, lockBudgets, storeBudgets } from './kept-budgets.sql.ts';

/**
 * A budget that allows at most `max` within a window. The window begins with the first use. The budget is stored in the
 * database and shared by all nodes.
 */
export type KeptBudget = { key: Buffer; max: number; windowSeconds: number };

export type Exhausted = { limit: number; windowSeconds: number; at: Date; until: Date };

/** The key of a budget. Only digests are stored, so the table does not reveal what was tried on which account. */
export function budgetKey(...parts: string[]): Buffer {
  return createHash('sha256').update(parts.join('\0')).digest();
}

/**
 * Takes one from every budget, or from none if at least one is exhausted. In the latter case, returns the budget that
 * stays exhausted the longest.
 */
export async function takeFromAll(trx: Trx, budgets: KeptBudget[]): Promise<Exhausted | null> {
  const rows = await lockBudgets(
    trx,
    budgets.map(({ key }) => key),
  );
  const states = budgets.map((budget) => ({ budget, ...stateOf(rows, budget) }));
  const exhausted = states
    .filter(({ budget, attempts }) => attempts > budget.max)
    .sort((one, other) => other.blocked_until.getTime() - one.blocked_until.getTime())[0];
  if (exhausted) {
    const { budget, at, blocked_until: until } = exhausted;
    return { limit: budget.max, windowSeconds: budget.windowSeconds, at, until };
  }
  await storeBudgets(trx, states);
  return null;
}

/** The state after one more attempt. The row is kept until its window ends. */
function stateOf(rows: BudgetRow[], { key, windowSeconds }: KeptBudget) {
  const row = rows.find((one) => one.key.equals(key));
  if (!row) throw new Error('the row of a budget of attempts is missing, although it was just locked');
  const end = row.started_at.getTime() + windowSeconds * 1000;
  const isNew = row.attempts === 0 || row.at.getTime() >= end;
  const started = isNew ? row.at : row.started_at;
  return {
    ...row,
    attempts: isNew ? 1 : row.attempts + 1,
    started_at: started,
    blocked_until: new Date(started.getTime() + windowSeconds * 1000),
  };
}

export function tooMany(what: string, { limit, windowSeconds, at, until }: Exhausted): AppError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 1000));
  return new AppError('RATE_LIMIT_EXCEEDED', `Too many ${what}; try again in ${seconds} seconds`, {
    details: { limit, window: windowSeconds, reset_at: until.toISOString() },
    headers: { 'retry-after': String(seconds) },
  });
}
