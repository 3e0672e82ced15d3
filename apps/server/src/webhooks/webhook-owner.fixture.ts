import { beforeEach } from 'vitest';
import { type Receiver, useReceiver } from '../testing/clients/webhook-receiver.ts';
import { createProject } from '../testing/samples/sample-projects.ts';
import { createWebhook, onWebhooks } from '../testing/samples/sample-webhooks.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';
import { once } from './subscription.fixture.ts';

/** A service and a receiver. Each test has a new user, whose webhooks call that user's own path at the receiver. */
export function useWebhookOwner() {
  const service = useTestService();
  const receiver = useReceiver();
  // The same object for all tests, so that they can destructure it.
  const user = {} as TestUser;
  beforeEach(async () => void Object.assign(user, await service.createUser()));
  const path = () => `/${user.id}`;
  const endpoint = () => receiver.at(path());
  return {
    service,
    user,
    endpoint,
    /** Sets the endpoint's answer. */
    reply: (reply: Parameters<Receiver['reply']>[1]) => receiver.reply(path(), reply),
    on: <Body = Record<string, unknown>>(method: string, below: string, json?: unknown) =>
      onWebhooks<Body>(service, user, [method, below, json]),
    newWebhook: (fields: Record<string, unknown> = {}) =>
      createWebhook(service, user, { url: endpoint().url, retry_policy: once, ...fields }),
    async createProjects(count: number): Promise<void> {
      for (let index = 0; index < count; index++) await createProject(service, user);
    },
  };
}
