import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Counter, type Registry } from 'prom-client';
import { type BudgetRefusal, budgetRefusals } from '../../concurrency/budget.ts';
import type { Slice } from '../../slice.ts';

/** Counts requests, jobs, builds and sockets that were refused or ended because they exceeded a limit. */
export type Counters = Slice & { sandboxStopped(reason: string): void };

export function createCounters(): Counters {
  const registers: Registry[] = [];
  const refusals = new Counter({
    name: 'bottega_budget_refusals_total',
    help: 'Work that was refused because it exceeded its budget, by budget',
    labelNames: ['budget'],
    registers,
  });
  const stopped = new Counter({
    name: 'bottega_sandboxes_stopped_total',
    help: 'Builds and apps that were stopped: by time, memory or disk limit, or on request',
    labelNames: ['reason'],
    registers,
  });
  const count = (message: unknown) => refusals.inc({ budget: (message as BudgetRefusal).budget });
  subscribe(budgetRefusals, count);
  return {
    sandboxStopped: (reason) => stopped.inc({ reason }),
    metrics(registry) {
      registry.registerMetric(refusals);
      registry.registerMetric(stopped);
    },
    async stop() {
      unsubscribe(budgetRefusals, count);
    },
  };
}
