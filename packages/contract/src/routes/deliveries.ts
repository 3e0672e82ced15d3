import { Type } from 'typebox';
import {
  DeliveryDetail,
  DeliveryList,
  DeliveryListQuery,
  RecoverWebhook,
  RedeliverFailed,
  Redelivery,
  ScheduledDeliveries,
  TestedWebhook,
  TestWebhook,
} from '../webhook-deliveries.ts';
import { EventLog, WebhookStats, WebhookStatsQuery } from '../webhook-stats.ts';
import { OffsetQuery } from '../webhooks.ts';
import { defineRoutes } from './route.ts';

export const deliveryRoutes = defineRoutes('Webhooks', {
  testWebhook: {
    address: 'POST /webhooks/{webhook_id}/test',
    access: 'write:webhooks',
    summary: 'Send a test event once and return the result',
    body: Type.Union([TestWebhook, Type.Null()]),
    responses: { 200: TestedWebhook },
  },
  listDeliveries: {
    address: 'GET /webhooks/{webhook_id}/deliveries',
    access: 'read:webhooks',
    summary: "List a webhook's deliveries, newest first",
    query: DeliveryListQuery,
    responses: { 200: DeliveryList },
  },
  readDelivery: {
    address: 'GET /webhooks/{webhook_id}/deliveries/{delivery_id}',
    access: 'read:webhooks',
    summary: 'Read a delivery and all its attempts',
    responses: { 200: DeliveryDetail },
  },
  redeliver: {
    address: 'POST /webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
    access: 'write:webhooks',
    summary: 'Send a delivery again',
    responses: { 201: Redelivery },
  },
  redeliverFailed: {
    address: 'POST /webhooks/{webhook_id}/redeliver-failed',
    access: 'write:webhooks',
    summary: 'Send failed deliveries again, except those that succeeded later',
    body: Type.Union([RedeliverFailed, Type.Null()]),
    responses: { 201: ScheduledDeliveries },
  },
  recoverWebhook: {
    address: 'POST /webhooks/{webhook_id}/recover',
    access: 'write:webhooks',
    summary: 'Deliver all undelivered events from a period',
    body: RecoverWebhook,
    responses: { 201: ScheduledDeliveries },
  },
  listWebhookEvents: {
    address: 'GET /webhooks/{webhook_id}/events',
    access: 'read:webhooks',
    summary: 'List the events that were sent to a webhook, newest first',
    query: OffsetQuery,
    responses: { 200: EventLog },
  },
  readWebhookStats: {
    address: 'GET /webhooks/{webhook_id}/stats',
    access: 'read:webhooks',
    summary: "Read a webhook's statistics for a period",
    query: WebhookStatsQuery,
    responses: { 200: WebhookStats },
  },
});
