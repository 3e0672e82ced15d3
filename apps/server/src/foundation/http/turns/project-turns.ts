import type { RouteOptions } from 'fastify';
import { createSlots } from '../../concurrency/slots.ts';
import type { App } from '../request/typed-app.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Those who wait do so in memory, without a connection, and share what the first of them does. */
    queuesItself?: boolean;
  }
}

/** As long as for the lock of a row. */
const patienceMs = 10_000;

/**
 * What changes a project or a webhook holds its row, and whoever waits for that keeps a connection meanwhile. So the changes of
 * one of them have a quarter of the pool: while somebody holds it up, all others find connections. A turn lasts until
 * the handler has ended, and not only until its client has gone.
 */
export function registerProjectTurns(app: App, databasePool: number): void {
  const perAccount = Math.max(1, Math.floor(databasePool / 4));
  const unbounded = Number.POSITIVE_INFINITY;
  const turns = createSlots({ total: unbounded, perAccount, mostWaiting: unbounded, patienceMs });
  app.addHook('onRoute', (route) => {
    if (!holdsRow(route)) return;
    const { handler } = route;
    route.handler = function (request, reply) {
      const { project_id: projectId, webhook_id: webhookId = '' } = request.params as Record<string, string>;
      return turns.run(projectId ?? webhookId, async () => handler.call(this, request, reply));
    };
  });
}

function holdsRow({ method, url, config }: RouteOptions): boolean {
  const reads = [method].flat().every((one) => one === 'GET' || one === 'HEAD');
  return !reads && /\/:(project|webhook)_id/.test(url) && !config?.queuesItself;
}
