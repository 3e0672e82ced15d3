import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../../foundation/db/index.ts';
import { readCheckQueue } from './queue.sql.ts';

export function registerCheckMetrics(registry: Registry, db: Db): void {
  new Gauge({
    name: 'bottega_checks',
    help: 'Waiting and running checks on all nodes',
    labelNames: ['state'],
    registers: [registry],
    aggregator: 'max',
    async collect() {
      const queue = await readCheckQueue(db).catch(() => null);
      if (!queue) return;
      this.set({ state: 'waiting' }, queue.queued);
      this.set({ state: 'running' }, queue.running);
    },
  });
}
