import { Bottega, BottegaError, type Deployment, type ProjectListItem, webhooks } from '@bottega/sdk';
import type { LiveFile, LiveSession } from '@bottega/sdk/live';
import { verify, type WebhookEvent } from '@bottega/sdk/webhooks';

/** What a program may rely on: the compiler checks it. */
export async function useEverything(): Promise<void> {
  const client = new Bottega({ baseUrl: 'http://localhost:3000', token: async () => 'token' });
  const items: ProjectListItem[] = [];
  for await (const project of client.projects.list({ sort: 'name' })) items.push(project);
  const { pagination } = await client.projects.list();
  const total: number = pagination.total;
  // @ts-expect-error: an unknown value
  client.projects.list({ sort: 'colour' });
  // @ts-expect-error: the name is missing
  client.projects.create({});
  const deployment: Deployment = await client.deployments.create('prj_1', { environment: undefined });
  const nothing: undefined = (await client.projects.delete('prj_1')) as undefined;
  for await (const event of client.events.subscribe({ format: 'guide' })) {
    if (event.type === 'file.shared') event.data.object satisfies object;
  }
  const event: WebhookEvent = await verify('{}', new Headers(), 'secret');
  await webhooks.verify(new Uint8Array(), {}, ['one', 'two'], { tolerance: 60 });
  await webhooks.verify('{}', await webhooks.sign('{}', 'secret', { id: 'evt_1' }), 'secret');
  const live: LiveSession = await client.sessions.join('ses_1');
  const file: LiveFile = await live.open('/a.txt');
  file.on('change', ({ splices }) => splices.map(({ insert }) => insert.length));
  try {
    await client.user.get({ signal: AbortSignal.timeout(1000) });
  } catch (error) {
    if (error instanceof BottegaError && error.code === 'RATE_LIMIT_EXCEEDED') throw error.retryAfter;
  }
  throw [total, deployment, nothing, event];
}
