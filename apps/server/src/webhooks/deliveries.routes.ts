import {
  DeliveryDetail,
  DeliveryList,
  DeliveryListQuery,
  EventLog,
  OffsetQuery,
  RecoverWebhook,
  RedeliverFailed,
  Redelivery,
  ScheduledDeliveries,
  TestedWebhook,
  TestWebhook,
  WebhookStats,
  WebhookStatsQuery,
} from '@bottega/contract';
import { Type } from 'typebox';
import { causeOf } from '../foundation/http/cause.ts';
import { principalOf } from '../foundation/http/guard.ts';
import { createOnce, type Once } from '../foundation/http/idempotency.ts';
import type { App } from '../foundation/http/typed-app.ts';
import {
  listDeliveries,
  readDelivery,
  readEventLog,
  recover,
  redeliver,
  redeliverAllFailed,
  testWebhook,
} from './deliveries.service.ts';
import type { WebhookEngine } from './engine.ts';
import { readStats } from './stats.service.ts';

const tags = ['Webhooks'];
const params = Type.Object({ webhook_id: Type.String() });
const deliveryParams = Type.Object({ webhook_id: Type.String(), delivery_id: Type.String() });

type Options = Once & { engine: Pick<WebhookEngine, 'sendTest' | 'nudge'> };

export function deliveryRoutes(app: App, { engine, ...once }: Options): void {
  const { db } = once;
  // New deliveries are there once the transaction has committed; the nudge spares them the wait for the next poll.
  const { nudge } = engine;

  app.post(
    '/webhooks/:webhook_id/test',
    {
      config: { access: 'write:webhooks' },
      schema: {
        tags,
        summary: 'Send a test now, in one attempt, and answer with its outcome',
        params,
        body: Type.Union([TestWebhook, Type.Null()]),
        response: { 200: TestedWebhook },
      },
    },
    (request) => {
      const asked = { webhookId: request.params.webhook_id, input: request.body ?? {}, cause: causeOf(request) };
      return testWebhook(db, principalOf(request), asked, engine);
    },
  );

  app.get(
    '/webhooks/:webhook_id/deliveries',
    {
      config: { access: 'read:webhooks' },
      schema: {
        tags,
        summary: 'List deliveries, the latest first',
        params,
        querystring: DeliveryListQuery,
        response: { 200: DeliveryList },
      },
    },
    (request) => listDeliveries(db, principalOf(request), request.params.webhook_id, request.query),
  );

  app.get(
    '/webhooks/:webhook_id/deliveries/:delivery_id',
    {
      config: { access: 'read:webhooks' },
      schema: {
        tags,
        summary: 'Read a delivery with every attempt',
        params: deliveryParams,
        response: { 200: DeliveryDetail },
      },
    },
    (request) => {
      const { webhook_id: webhookId, delivery_id: deliveryId } = request.params;
      return readDelivery(db, principalOf(request), { webhookId, deliveryId });
    },
  );

  app.post(
    '/webhooks/:webhook_id/deliveries/:delivery_id/redeliver',
    {
      config: { access: 'write:webhooks' },
      schema: { tags, summary: 'Deliver again', params: deliveryParams, response: { 201: Redelivery } },
    },
    (request, reply) => {
      const { webhook_id: webhookId, delivery_id: deliveryId } = request.params;
      return createOnce(once, request, reply, (trx) =>
        redeliver(trx, principalOf(request), { webhookId, deliveryId }),
      ).finally(nudge);
    },
  );

  app.post(
    '/webhooks/:webhook_id/redeliver-failed',
    {
      config: { access: 'write:webhooks' },
      schema: {
        tags,
        summary: 'Deliver again what has failed and has not arrived since',
        params,
        body: Type.Union([RedeliverFailed, Type.Null()]),
        response: { 201: ScheduledDeliveries },
      },
    },
    (request, reply) => {
      const asked = { webhookId: request.params.webhook_id, input: request.body ?? {} };
      return createOnce(once, request, reply, (trx) => redeliverAllFailed(trx, principalOf(request), asked)).finally(
        nudge,
      );
    },
  );

  app.post(
    '/webhooks/:webhook_id/recover',
    {
      config: { access: 'write:webhooks' },
      schema: {
        tags,
        summary: 'Deliver every event of a period that has not arrived',
        params,
        body: RecoverWebhook,
        response: { 201: ScheduledDeliveries },
      },
    },
    (request, reply) => {
      const asked = { webhookId: request.params.webhook_id, input: request.body };
      return createOnce(once, request, reply, (trx) => recover(trx, principalOf(request), asked)).finally(nudge);
    },
  );

  app.get(
    '/webhooks/:webhook_id/events',
    {
      config: { access: 'read:webhooks' },
      schema: {
        tags,
        summary: 'The log of events that this webhook was sent, the latest first',
        params,
        querystring: OffsetQuery,
        response: { 200: EventLog },
      },
    },
    (request) => readEventLog(db, principalOf(request), request.params.webhook_id, request.query),
  );

  app.get(
    '/webhooks/:webhook_id/stats',
    {
      config: { access: 'read:webhooks' },
      schema: {
        tags,
        summary: 'Figures of a period that ends now, or of one between two dates',
        params,
        querystring: WebhookStatsQuery,
        response: { 200: WebhookStats },
      },
    },
    (request) => readStats(db, principalOf(request), request.params.webhook_id, request.query),
  );
}
