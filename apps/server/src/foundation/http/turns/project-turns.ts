import type { RouteOptions } from 'fastify';
import { createSlots } from '../../concurrency/slots.ts';
import type { App } from '../request/typed-app.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The route needs no turn, because it has its own queue in memory. Its waiting requests occupy no database
     * connection and are handled together.
     */
    queuesItself?: boolean;
  }
}

/** How long a change waits for its turn. It is the same time as for a row lock. */
const patienceMs = 10_000;

/**
 * A change to a project or webhook locks its row, and requests that wait for the lock occupy a database connection. So
 * the changes to one row get at most a quarter of the pool. Even while they are blocked, all other requests find
 * connections. A turn lasts until the handler has ended, even if its client has disconnected.
 */
export function registerProjectTurns(app: App, databasePool: number): void {
  const perAccount = Math.max(1, Math.floor(databasePool / 4));
  const unbounded = Number.POSITIVE_INFINITY;
  const turns = createSlots({ total: unbounded, perAccount, maxWaiting: unbounded, patienceMs });
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
