import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../../foundation/db/index.ts';
import { countInstances } from './instances.sql.ts';

export function registerAppMetrics(registry: Registry, db: Db): void {
  new Gauge({
    name: 'bottega_apps',
    help: 'Server apps that are waiting for a worker, starting or running, on all nodes',
    labelNames: ['state'],
    registers: [registry],
    aggregator: 'max',
    async collect() {
      const counts = await countInstances(db).catch(() => null);
      for (const [state, count] of Object.entries(counts ?? {})) this.set({ state }, count);
    },
  });
}
