import type { CreatedWebhook, Delivery, DeliveryList } from '@bottega/contract';
import { expect } from 'vitest';
import { type Answer, call } from '../clients/http-client.ts';
import { waitFor } from '../parts/wait-for.ts';
import type { TestService, TestUser } from '../service/test-service.ts';

type Key = Pick<TestUser, 'key'>;

/** One request below `/api/webhooks`. */
export function onWebhooks<Body = Record<string, unknown>>(
  service: TestService,
  user: Key,
  [method, path, json]: [method: string, path: string, json?: unknown],
): Promise<Answer<Body>> {
  return call<Body>(method, `${service.url}/api/webhooks${path}`, {
    token: user.key,
    ...(json !== undefined && { json }),
  });
}

/** Creates a webhook as a user does. */
export async function createWebhook(
  service: TestService,
  user: Key,
  fields: Record<string, unknown> = {},
): Promise<CreatedWebhook> {
  const json = { url: 'https://hooks.example.com/x', events: ['project.created'], name: 'Sample', ...fields };
  const answer = await onWebhooks<CreatedWebhook>(service, user, ['POST', '', json]);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

export async function listDeliveries(service: TestService, user: Key, id: string, query = ''): Promise<DeliveryList> {
  const answer = await onWebhooks<DeliveryList>(service, user, ['GET', `/${id}/deliveries${query}`]);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** All deliveries, once there are this many and none waits. */
export function settledDeliveries(
  service: TestService,
  user: Key,
  { id, count }: { id: string; count: number },
): Promise<Delivery[]> {
  return waitFor(`${count} deliveries of ${id} are decided`, async () => {
    const { deliveries, stats } = await listDeliveries(service, user, id, '?limit=100');
    return stats.pending_deliveries === 0 && deliveries.length >= count && deliveries;
  });
}
