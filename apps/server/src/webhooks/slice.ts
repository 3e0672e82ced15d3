import { createNamedWebhook, routes } from '@bottega/contract';
import { deleteEventsOlderThan } from '../events/index.ts';
import { createSlots } from '../foundation/concurrency/slots.ts';
import type { Ground } from '../foundation/ground.ts';
import { rememberEncodings } from '../foundation/http/answers/encoded-text.ts';
import type { App } from '../foundation/http/index.ts';
import { isLoopback } from '../foundation/http/watching/health.ts';
import type { Slice } from '../foundation/slice.ts';
import { createWebhookEngine } from './delivery/index.ts';
import { cleanDeliveries, deliveryRoutes } from './history/index.ts';
import { readDeliveryQueue } from './queue/index.ts';
import {
  endpointRule,
  eventTypeList,
  loopbackEndpoints,
  type WebhookRouteOptions,
  webhookRoutes,
} from './subscriptions/index.ts';

type Needs = { appsPort(): number };

/** Subscriptions to events, and their deliveries. */
export function createWebhooks(ground: Ground, { appsPort }: Needs) {
  const { config, db, publicUrl, role } = ground;
  const { limits, allow, days } = config.webhooks;
  const ownPorts = () => {
    const ports = [ground.address.port(), config.port, Number(new URL(publicUrl()).port), appsPort()];
    return [...new Set(ports)].filter((port) => port > 0);
  };
  const nobody = { networks: [], hosts: [] };
  const engine = createWebhookEngine({
    db,
    nudges: ground.nudges,
    siblings: ground.siblings,
    caches: ground.caches,
    box: ground.secrets('webhooks'),
    mailer: ground.mailer,
    endpoints: endpointRule({
      allowed: () => allow ?? (isLoopback(publicUrl()) ? loopbackEndpoints : nobody),
      ownOrigins: () => [publicUrl()],
      ownPorts,
    }),
    limits,
    onError: ground.warn('webhooks'),
  });
  const catalogue = rememberEncodings(() => JSON.stringify(eventTypeList()));
  // Two per account, so that a retry with the same Idempotency-Key learns that the first request is still running.
  const total = Math.max(3, Math.floor(config.databasePool / 4));
  const bulk = createSlots({ total, perAccount: 2, maxWaiting: 20 });
  const rules = { box: engine.box, problemOf: engine.endpoints.problemOf, max: config.webhookLimits };
  const mount = (app: App, variant: Pick<WebhookRouteOptions, 'format' | 'create'>) => {
    webhookRoutes(app, { ...ground.once, rules, catalogue, ...variant });
    deliveryRoutes(app, { ...ground.once, engine, bulk });
  };

  return {
    /**
     * Both say whether a webhook may receive an event of this type. `isWanted` considers all projects and answers from
     * memory. `isWantedIn` considers one project and runs a query.
     */
    isWanted: engine.isWanted,
    isWantedIn: engine.isWantedIn,
    figures: () => readDeliveryQueue(db),
    routes: (api: App) => mount(api, { format: 'core', create: routes.createWebhook }),
    async otherRoutes(app: App) {
      const format = config.webhookFormat;
      const routes = async (api: App) => mount(api, { format, create: createNamedWebhook });
      await app.register(routes, { prefix: '/api' });
    },
    metrics: engine.metrics.register,
    cleaning: [(all) => deleteEventsOlderThan(all, config.eventDays), (all) => cleanDeliveries(all, days)],
    async listening() {
      // The engine starts once the port is known, because webhooks must not send to it.
      if (role !== 'api') await engine.start();
    },
    // The engine stops after the last request, so that deliveries that this request causes can still be sent.
    stop: engine.stop,
  } satisfies Slice & Record<string, unknown>;
}
