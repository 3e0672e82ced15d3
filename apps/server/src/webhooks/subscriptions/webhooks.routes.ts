import { type createNamedWebhook, routes, type WebhookFormat } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import { transaction } from '../../foundation/db/index.ts';
import { type Encodings, sendEncodedJson } from '../../foundation/http/answers/encoded-text.ts';
import {
  type App,
  causeOf,
  createOnce,
  handle,
  type Once,
  principalOf,
  trimming,
} from '../../foundation/http/index.ts';
import type { InTransaction } from '../../foundation/http/request/field-checks.ts';
import {
  createWebhook,
  creationChecks,
  deleteWebhook,
  listWebhooks,
  type Rules,
  readWebhook,
  rotateSecret,
} from './webhooks.service.ts';
import { changeChecks, changeWebhook } from './webhooks.update.ts';

const preValidation = trimming('name');

export type WebhookRouteOptions = Once & {
  rules: Rules;
  /** The encoded response that lists all event types. */
  catalogue: Encodings;
  /** The default format of new webhooks on this mount. */
  format: WebhookFormat;
  /** The core API accepts a webhook without a name. The mount at /api does not. */
  create: typeof routes.createWebhook | typeof createNamedWebhook;
};

/**
 * Registers the routes of webhooks. They are mounted at `/api/webhooks` and, in the variant of the core API, below both
 * mounts of that API.
 */
export function webhookRoutes(app: App, { rules, catalogue, format, create, ...once }: WebhookRouteOptions): void {
  const { db } = once;
  const { box } = rules;

  handle(app, routes.listEventTypes, async (request, reply) => {
    await sendEncodedJson(request, reply, catalogue);
    return reply;
  });

  handle(app, routes.listWebhooks, (request) => listWebhooks(db, principalOf(request), request.query));

  const ask: InTransaction = (work) => transaction(db, work);
  const checks = (request: FastifyRequest) => creationChecks(ask, principalOf(request).userId, rules);
  handle(app, create, { preValidation, checks }, (request, reply) =>
    createOnce(once, request, reply, (trx) =>
      createWebhook(trx, principalOf(request), request.body, { ...rules, format, cause: causeOf(request) }),
    ),
  );

  handle(app, routes.readWebhook, (request) => readWebhook(db, principalOf(request), request.params.webhook_id, box));

  const checksOfChange = (request: FastifyRequest) => {
    const { webhook_id: id } = request.params as { webhook_id: string };
    return changeChecks(ask, principalOf(request), { id, limits: rules });
  };
  handle(app, routes.changeWebhook, { preValidation, checks: checksOfChange }, (request) =>
    changeWebhook(
      db,
      principalOf(request),
      { id: request.params.webhook_id, input: request.body },
      { ...rules, cause: causeOf(request) },
    ),
  );

  handle(app, routes.deleteWebhook, async (request) => {
    const { webhook_id } = request.params;
    const deletedAt = await deleteWebhook(db, principalOf(request), webhook_id, causeOf(request));
    return { message: 'The webhook was deleted', webhook_id, deleted_at: deletedAt.toISOString() };
  });

  handle(app, routes.rotateWebhookSecret, (request, reply) =>
    createOnce(once, request, reply, (trx) =>
      rotateSecret(trx, principalOf(request), request.params.webhook_id, {
        input: request.body ?? {},
        box,
        cause: causeOf(request),
      }),
    ),
  );
}
