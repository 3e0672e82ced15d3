import type { Plan } from '@bottega/contract';

/** A worker that takes something to run: a build, or a server app. */
export type Taker = {
  workerId: string;
  /** How many builds or apps an account may run at the same time, by its plan. */
  limits: Record<Plan, number | null>;
  /** Whether the worker has one slot left, which is reserved for an account that has nothing running. */
  isLastPlace: boolean;
};
