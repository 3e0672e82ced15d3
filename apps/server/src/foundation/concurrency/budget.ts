import { channel } from 'node:diagnostics_channel';
import { AppError } from '../app-error.ts';
import { createPace } from './pace.ts';

export type BudgetLimits = {
  /** Names the budget in metrics and in the log: one word or two for each kind of work. */
  name: string;
  /** Things looked at: tree entries, files, packets, lines. */
  entries?: number;
  bytes?: number;
  /** From the creation of the budget; checked whenever something is spent. */
  ms?: number;
  /** What the client reads when it runs out. */
  message: string;
};

export type Cost = { entries?: number; bytes?: number };

/**
 * What one piece of work on a tenant's data may cost. It goes through every walk, which spends before it looks: so a
 * tree of shared subtrees or one blob at ten thousand paths ends at the limit, not with the memory.
 */
export type Budget = {
  /** Throws a `BudgetExceeded` once there is not enough left. */
  spend(cost: Cost): void;
  /** Spends where there is enough left, and says whether there was: for work that can do with less. */
  affords(cost: Cost): boolean;
  /** Gives the event loop to others where this work has held it for long enough. Await it in every loop. */
  breathe(): Promise<void>;
  spent(): Required<Cost>;
};

/**
 * On this channel every refusal is told, wherever it was made and whoever handles it: an error of a job or of a socket
 * never comes by the place where those of requests are handled.
 */
export const budgetRefusals = 'bottega:budget-refused';
export type BudgetRefusal = { budget: string };
const refusals = channel(budgetRefusals);

/** A refusal like any other for a client; apart, so that it can be counted. */
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
