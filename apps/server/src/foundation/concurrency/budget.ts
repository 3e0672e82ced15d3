import { channel } from 'node:diagnostics_channel';
import { AppError } from '../app-error.ts';
import { createPace } from './pace.ts';

export type BudgetLimits = {
  /** The name of the budget in metrics and logs: one or two words that say which kind of work it limits. */
  name: string;
  /** Number of things read: tree entries, files, packets, lines. */
  entries?: number;
  bytes?: number;
  /** Milliseconds since the budget was created. Checked whenever something is spent. */
  ms?: number;
  /** Error message for the client when the budget runs out. */
  message: string;
};

export type Cost = { entries?: number; bytes?: number };

/**
 * What one piece of work on a tenant's data may cost. Every walk spends before it reads. So a walk over a tree with
 * shared subtrees, or with one blob at ten thousand paths, ends at the limit and does not use up the memory.
 */
export type Budget = {
  /** Spends from the budget. Throws `BudgetExceeded` if not enough is left. */
  spend(cost: Cost): void;
  /**
   * Spends from the budget if enough is left, and returns whether it did. For work that can make do with a partial
   * result.
   */
  affords(cost: Cost): boolean;
  /** Yields the event loop if this work has blocked it for long enough. Await it in every loop. */
  maybeYield(): Promise<void>;
  spent(): Required<Cost>;
};

/**
 * The channel on which every exceeded budget is published, because errors of jobs and sockets never reach the error
 * handler of requests.
 */
export const budgetRefusals = 'bottega:budget-refused';
export type BudgetRefusal = { budget: string };
const refusals = channel(budgetRefusals);

/** For a client, this error is a refusal like any other. It has its own class so that such refusals can be counted. */
export class BudgetExceeded extends AppError {
  readonly budget: string;

  constructor({ name, message }: BudgetLimits) {
    super('VALIDATION_ERROR', message);
    this.budget = name;
    refusals.publish({ budget: name } satisfies BudgetRefusal);
  }
}

export function createBudget(limits: BudgetLimits): Budget {
  const {
    entries = Number.POSITIVE_INFINITY,
    bytes = Number.POSITIVE_INFINITY,
    ms = Number.POSITIVE_INFINITY,
  } = limits;
  const begun = performance.now();
  const spent = { entries: 0, bytes: 0 };
  function affords(cost: Cost): boolean {
    const after = { entries: spent.entries + (cost.entries ?? 0), bytes: spent.bytes + (cost.bytes ?? 0) };
    if (after.entries > entries || after.bytes > bytes || performance.now() - begun > ms) return false;
    Object.assign(spent, after);
    return true;
  }
  return {
    ...createPace(),
    affords,
    spend(cost) {
      if (!affords(cost)) throw new BudgetExceeded(limits);
    },
    spent: () => ({ ...spent }),
  };
}
