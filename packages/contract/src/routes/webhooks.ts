import { Type } from 'typebox';
import { CreateCoreWebhook, CreateWebhook, RotateSecret, UpdateWebhook } from '../webhook-inputs.ts';
import { EventTypeList } from '../webhook-stats.ts';
import {
  CreatedWebhook,
  DeletedWebhook,
  RotatedSecret,
  UpdatedWebhook,
  Webhook,
  WebhookList,
  WebhookListQuery,
} from '../webhooks.ts';
import { defineRoutes } from './route.ts';

const tag = 'Webhooks';

/** These routes are also below /api, except that `createNamedWebhook` creates webhooks there. */
export const webhookRoutes = defineRoutes(tag, {
  listEventTypes: {
    address: 'GET /webhooks/event-types',
    access: 'read:webhooks',
    summary: 'List all event types, with a JSON Schema and an example for each format',
    responses: { 200: EventTypeList },
  },
  listWebhooks: {
    address: 'GET /webhooks',
    access: 'read:webhooks',
    summary: 'List your webhooks and the webhooks of projects that you manage',
    query: WebhookListQuery,
    responses: { 200: WebhookList },
  },
  createWebhook: {
    address: 'POST /webhooks',
    access: 'write:webhooks',
    summary: 'Create a webhook',
    body: CreateCoreWebhook,
    responses: { 201: CreatedWebhook },
  },
  readWebhook: {
    address: 'GET /webhooks/{webhook_id}',
    access: 'read:webhooks',
    summary: 'Read a webhook and its recent deliveries',
    responses: { 200: Webhook },
  },
  changeWebhook: {
    address: 'PUT /webhooks/{webhook_id}',
    access: 'write:webhooks',
    summary: 'Change a webhook; omitted fields keep their values, and `active: true` re-enables a disabled webhook',
    body: UpdateWebhook,
    responses: { 200: UpdatedWebhook },
  },
  deleteWebhook: {
    address: 'DELETE /webhooks/{webhook_id}',
    access: 'write:webhooks',
    summary: 'Delete a webhook',
    responses: { 200: DeletedWebhook },
  },
  rotateWebhookSecret: {
    address: 'POST /webhooks/{webhook_id}/rotate-secret',
    access: 'write:webhooks',
    summary: "Replace a webhook's secret; deliveries are also signed with the previous secret for a while",
    body: Type.Union([RotateSecret, Type.Null()]),
    responses: { 201: RotatedSecret },
  },
});

/** Creates a webhook at /api/webhooks, where a name is required. */
export const { createNamedWebhook } = defineRoutes(tag, {
  createNamedWebhook: { ...webhookRoutes.createWebhook, body: CreateWebhook },
});
