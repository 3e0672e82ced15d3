import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../../foundation/db/index.ts';
import { readBuildQueue } from '../state/index.ts';

export function registerBuildMetrics(registry: Registry, db: Db): void {
  new Gauge({
    name: 'bottega_builds',
    help: 'Waiting and running builds on all nodes',
    labelNames: ['state'],
    registers: [registry],
    aggregator: 'max',
    async collect() {
      const queue = await readBuildQueue(db).catch(() => null);
      if (!queue) return;
      this.set({ state: 'waiting' }, queue.pending);
      this.set({ state: 'running' }, queue.building);
    },
  });
}
