import type { TestedWebhook } from '@bottega/contract';
import { call } from '../clients/http-client.ts';
import { createWebhook } from '../samples/sample-webhooks.ts';
import type { Caller, Route } from './documented-route.ts';
import { whileRunning } from './while-running.ts';

const unknown = '/webhooks/whk_00000000000000000000000000';
const input = { url: 'https://hooks.example.com/x', events: ['*'], name: 'New' };

/** Nobody listens there, so a test delivery fails at once. */
const nowhere = 'http://127.0.0.1:1/';

/** The next request deletes the last webhook: an account may not have as many as the table needs. */
const made = new Map<string, string>();
async function webhook({ service, user }: Caller): Promise<string> {
  const former = made.get(user.id);
  if (former) await call('DELETE', `${service.url}/api/webhooks/${former}`, { token: user.key });
  const { webhook_id } = await createWebhook(service, user, { url: nowhere });
  made.set(user.id, webhook_id);
  return `/webhooks/${webhook_id}`;
}

async function delivery(caller: Caller): Promise<string> {
  const path = await webhook(caller);
  const { body } = await call<TestedWebhook>('POST', caller.url(`${path}/test`), { token: caller.token });
  return `${path}/deliveries/${body.delivery_id}`;
}

const since = { since: '2026-01-01T00:00:00Z' };

/** A POST below a webhook that creates something: a valid body, and an invalid one. */
const creating = (below: string, good: unknown, bad: unknown): Route => ({
  scope: 'write:webhooks',
  success: [201, async (caller) => ({ path: `${await webhook(caller)}${below}`, json: good })],
  refusals: {
    404: () => ({ path: `${unknown}${below}`, json: good }),
    409: async (caller) => whileRunning(caller, 'webhooks', { path: `${await webhook(caller)}${below}`, json: good }),
    422: async (caller) => ({ path: `${await webhook(caller)}${below}`, json: bad }),
  },
});

const reading = (below: string): Route => ({
  scope: 'read:webhooks',
  success: [200, async (caller) => ({ path: `${await webhook(caller)}${below}` })],
  refusals: { 404: () => ({ path: `${unknown}${below}` }) },
});

/** Every route of webhooks. */
export const webhookRouteTable: Record<string, Route> = {
  'GET /v1/webhooks/event-types': { scope: 'read:webhooks', success: [200, () => ({})] },
  'GET /v1/webhooks': { scope: 'read:webhooks', success: [200, () => ({ path: '/webhooks?limit=1' })] },
  'POST /v1/webhooks': {
    scope: 'write:webhooks',
    success: [201, () => ({ json: input })],
    refusals: {
      409: (caller) => whileRunning(caller, 'webhooks', { path: '/webhooks', json: input }),
      422: () => ({ json: { ...input, url: 'http://10.0.0.1/' } }),
    },
  },
  'GET /v1/webhooks/{webhook_id}': reading(''),
  'PUT /v1/webhooks/{webhook_id}': {
    scope: 'write:webhooks',
    success: [200, async (caller) => ({ path: await webhook(caller), json: { name: 'Other' } })],
    refusals: {
      404: () => ({ path: unknown, json: {} }),
      422: async (caller) => ({ path: await webhook(caller), json: { events: [] } }),
    },
    unreachable: [409],
  },
  'DELETE /v1/webhooks/{webhook_id}': {
    scope: 'write:webhooks',
    success: [200, async (caller) => ({ path: await webhook(caller) })],
    refusals: { 404: () => ({ path: unknown }) },
    unreachable: [409],
  },
  'POST /v1/webhooks/{webhook_id}/rotate-secret': creating('/rotate-secret', {}, { overlap_seconds: -1 }),
  'POST /v1/webhooks/{webhook_id}/recover': creating('/recover', since, {}),
  'POST /v1/webhooks/{webhook_id}/redeliver-failed': creating('/redeliver-failed', since, { since: 'x' }),
  'POST /v1/webhooks/{webhook_id}/test': {
    scope: 'write:webhooks',
    success: [200, async (caller) => ({ path: `${await webhook(caller)}/test`, json: {} })],
    refusals: {
      404: () => ({ path: `${unknown}/test`, json: {} }),
      422: async (caller) => ({ path: `${await webhook(caller)}/test`, json: { payload: 1 } }),
    },
    unreachable: [409],
  },
  'GET /v1/webhooks/{webhook_id}/deliveries': reading('/deliveries?status=failed'),
  'GET /v1/webhooks/{webhook_id}/deliveries/{delivery_id}': {
    scope: 'read:webhooks',
    success: [200, async (caller) => ({ path: await delivery(caller) })],
    refusals: { 404: async (caller) => ({ path: `${await webhook(caller)}/deliveries/x` }) },
  },
  'POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver': {
    scope: 'write:webhooks',
    success: [201, async (caller) => ({ path: `${await delivery(caller)}/redeliver` })],
    refusals: {
      404: async (caller) => ({ path: `${await webhook(caller)}/deliveries/x/redeliver` }),
      409: async (caller) => whileRunning(caller, 'webhooks', { path: `${await delivery(caller)}/redeliver` }),
    },
  },
  'GET /v1/webhooks/{webhook_id}/events': reading('/events'),
  'GET /v1/webhooks/{webhook_id}/stats': reading('/stats'),
};
