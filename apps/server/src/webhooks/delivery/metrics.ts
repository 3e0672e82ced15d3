import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Db } from '../../foundation/db/index.ts';
import { countPending } from '../queue/index.ts';

export type WebhookMetrics = ReturnType<typeof createWebhookMetrics>;

export function createWebhookMetrics(db: Db) {
  const attempts = new Counter({
    name: 'bottega_webhook_attempts_total',
    help: 'Delivery attempts, by resulting status of the delivery: success, pending (will be retried) or failed',
    labelNames: ['outcome'],
    registers: [],
  });
  const lag = new Histogram({
    name: 'bottega_webhook_lag_seconds',
    help: 'Time from an event to its first delivery attempt',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [],
  });
  const aside = new Counter({
    name: 'bottega_webhook_set_aside_total',
    help: 'Events and delivery results that could not be stored after several attempts and were skipped',
    registers: [],
  });
  let figures = () => ({ waiting: 0, active: 0 });
  const queue = new Gauge({
    name: 'bottega_webhook_queue',
    help: 'Deliveries that are waiting on this node (waiting) or being attempted by it (active), and all pending deliveries of the installation',
    labelNames: ['state'],
    registers: [],
    aggregator: 'max',
    async collect() {
      const { waiting, active } = figures();
      this.set({ state: 'waiting' }, waiting);
      this.set({ state: 'active' }, active);
      const pending = await countPending(db).catch(() => undefined);
      if (pending !== undefined) this.set({ state: 'pending' }, pending);
    },
  });
  return {
    attempted: (outcome: 'success' | 'pending' | 'failed') => attempts.inc({ outcome }),
    /** Time from an event to its first attempt. */
    lagged: (milliseconds: number) => lag.observe(milliseconds / 1000),
    setAside: () => aside.inc(),
    /** Sets the function that reads the current figures when the metrics are scraped. */
    watch(read: typeof figures) {
      figures = read;
    },
    register(registry: Registry) {
      registry.registerMetric(attempts);
      registry.registerMetric(lag);
      registry.registerMetric(queue);
      registry.registerMetric(aside);
    },
  };
}
