import {
  CreateCoreWebhook,
  CreatedWebhook,
  CreateWebhook,
  DeletedWebhook,
  EventTypeList,
  RotatedSecret,
  RotateSecret,
  UpdatedWebhook,
  UpdateWebhook,
  Webhook,
  type WebhookFormat,
  WebhookList,
  WebhookListQuery,
} from '@bottega/contract';
import { Type } from 'typebox';
import { causeOf } from '../foundation/http/cause.ts';
import { principalOf } from '../foundation/http/guard.ts';
import { createOnce, type Once } from '../foundation/http/idempotency.ts';
import { trimming } from '../foundation/http/trimming.ts';
import type { App } from '../foundation/http/typed-app.ts';
import { eventTypeList } from './catalogue.ts';
import { deliveryRoutes } from './deliveries.routes.ts';
import type { WebhookEngine } from './engine.ts';
import { createWebhook, deleteWebhook, listWebhooks, readWebhook, rotateSecret } from './webhooks.service.ts';
import { changeWebhook } from './webhooks.update.ts';

const tags = ['Webhooks'];
const params = Type.Object({ webhook_id: Type.String() });
const preValidation = trimming('name');

type Options = Once & {
  engine: WebhookEngine;
  most: { webhooks: number; timeout: number };
  /** The format of a webhook that is created without one: the mount's own. */
  format: WebhookFormat;
  /** The core API lists a create without a name. */
  isNameOptional: boolean;
};

/** Mounted at `/api/webhooks`, and in the core API's variant below both of its mounts. */
export function webhookRoutes(app: App, { engine, most, format, isNameOptional, ...once }: Options): void {
  const { db } = once;
  const { box } = engine;
  const rules = { box, problemOf: engine.endpoints.problemOf, most };

  const catalogue = eventTypeList();
  app.get(
    '/webhooks/event-types',
    {
      config: { access: 'read:webhooks' },
      schema: {
        tags,
        summary: 'Every event that can be sent, with a JSON Schema and an example for each format',
        response: { 200: EventTypeList },
      },
    },
    async () => catalogue,
  );

  app.get(
    '/webhooks',
    {
      config: { access: 'read:webhooks' },
      schema: {
        tags,
        summary: 'List your webhooks and those of the projects that you manage',
        querystring: WebhookListQuery,
        response: { 200: WebhookList },
      },
    },
    (request) => listWebhooks(db, principalOf(request), request.query),
  );

  app.post(
    '/webhooks',
    {
      config: { access: 'write:webhooks' },
      preValidation,
      schema: {
        tags,
        summary: 'Create a webhook',
        body: isNameOptional ? CreateCoreWebhook : CreateWebhook,
        response: { 201: CreatedWebhook },
      },
    },
    (request, reply) =>
      createOnce(once, request, reply, (trx) =>
        createWebhook(trx, principalOf(request), request.body, { ...rules, format, cause: causeOf(request) }),
      ),
  );

  app.get(
    '/webhooks/:webhook_id',
    {
      config: { access: 'read:webhooks' },
      schema: { tags, summary: 'Read a webhook with its recent deliveries', params, response: { 200: Webhook } },
    },
    (request) => readWebhook(db, principalOf(request), request.params.webhook_id, box),
  );

  app.put(
    '/webhooks/:webhook_id',
    {
      config: { access: 'write:webhooks' },
      preValidation,
      schema: {
        tags,
        summary: 'Change a webhook; what is absent stays. `active: true` brings back one that was turned off',
        params,
        body: UpdateWebhook,
        response: { 200: UpdatedWebhook },
      },
    },
    (request) =>
      changeWebhook(
        db,
        principalOf(request),
        { id: request.params.webhook_id, input: request.body },
        { ...rules, cause: causeOf(request) },
      ),
  );

  app.delete(
    '/webhooks/:webhook_id',
    {
      config: { access: 'write:webhooks' },
      schema: { tags, summary: 'Delete a webhook', params, response: { 200: DeletedWebhook } },
    },
    async (request) => {
      const { webhook_id } = request.params;
      const deletedAt = await deleteWebhook(db, principalOf(request), webhook_id, causeOf(request));
      return { message: 'The webhook was deleted', webhook_id, deleted_at: deletedAt.toISOString() };
    },
  );

  app.post(
    '/webhooks/:webhook_id/rotate-secret',
    {
      config: { access: 'write:webhooks' },
      schema: {
        tags,
        summary: 'Replace the secret; the former one goes on signing beside it for a while',
        params,
        body: Type.Union([RotateSecret, Type.Null()]),
        response: { 201: RotatedSecret },
      },
    },
    (request, reply) =>
      createOnce(once, request, reply, (trx) =>
        rotateSecret(trx, principalOf(request), request.params.webhook_id, {
          input: request.body ?? {},
          box,
          cause: causeOf(request),
        }),
      ),
  );

  deliveryRoutes(app, { ...once, engine });
}
