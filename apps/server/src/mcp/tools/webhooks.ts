import { DeliveryListQuery, routes, WebhookListQuery } from '@bottega/contract';
import { type TProperties, Type } from 'typebox';
import { notFound } from '../../foundation/http/index.ts';
import { showFromOffset } from './lists.ts';
import { asRefusal, hasFailed, jsonOf } from './results.ts';
import { type Call, idempotencyKey, limit, offset, projectId, routeTool, type Tool } from './tool.ts';

const webhookId = Type.String({ maxLength: 64, description: 'whk_…' });

export const listWebhooks = routeTool({
  name: 'list_webhooks',
  title: 'List webhooks',
  description: 'Lists the webhooks of the user and of projects that the user manages, without secrets.',
  route: routes.listWebhooks,
  fields: {
    project_id: Type.Optional(projectId),
    active: WebhookListQuery.properties.active,
    limit: limit(50, 20),
    offset,
  },
  show: showFromOffset('webhooks'),
});

export const listDeliveries = ofWebhook({
  name: 'list_deliveries',
  title: 'List deliveries',
  description: 'Lists the deliveries to a webhook with status, response and error, newest first.',
  route: routes.listDeliveries,
  fields: { status: DeliveryListQuery.properties.status, limit: limit(50, 10), offset },
  show: showFromOffset('deliveries'),
});

export const redeliver = ofWebhook({
  name: 'redeliver',
  title: 'Redeliver',
  description: 'Sends a delivery again.',
  route: routes.redeliver,
  hints: { destructive: false, openWorld: true },
  fields: { delivery_id: Type.String({ maxLength: 64, description: 'dlv_…' }), idempotency_key: idempotencyKey },
});

/**
 * Defines a tool for a webhook. The path of its route contains no project. So if only one project is allowed, the tool
 * first looks up the project of the webhook.
 */
function ofWebhook({ fields, ...tool }: Parameters<typeof routeTool>[0] & { fields: TProperties }): Tool {
  const made = routeTool({ ...tool, fields: { webhook_id: webhookId, ...fields } });
  async function run(call: Call, input: Record<string, unknown>) {
    if (call.onlyProject !== null) {
      const webhook = await call.api(routes.readWebhook, { params: { webhook_id: String(input.webhook_id) } });
      if (hasFailed(webhook)) return asRefusal(webhook);
      if (jsonOf(webhook).project_id !== call.onlyProject) throw notFound('Webhook');
    }
    return made.run(call, input);
  }
  return { ...made, run };
}
