import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CreatedWebhook, WebhookFormat } from '@bottega/contract';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { beforeAll, describe, expect, test } from 'vitest';
import { call } from '../../testing/clients/http-client.ts';
import { type Received, useReceiver } from '../../testing/clients/webhook-receiver.ts';
import { expectCatalogued, expectStoredEventsCatalogued } from '../../testing/contract/catalogue-validator.ts';
import { ask, join } from '../../testing/samples/sample-collaborators.ts';
import { inProject, newPlace, type Place, writeFile } from '../../testing/samples/sample-files.ts';
import { createProject, onProject } from '../../testing/samples/sample-projects.ts';
import { createWebhook, onWebhooks, settledDeliveries } from '../../testing/samples/sample-webhooks.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
const receiver = useReceiver();

/** Receivers as each of the three documents describes them. True if the signature is valid. */
const verifiers: Record<WebhookFormat, (received: Received, secret: string) => boolean> = {
  reference({ headers, body }, secret) {
    const sent = String(headers['x-service-signature-256']).replace(/^sha256=/, '');
    return isSame(sent, createHmac('sha256', secret).update(body).digest('hex'));
  },
  core({ headers, body }, secret) {
    return isSame(String(headers['x-service-signature']), createHmac('sha256', secret).update(body).digest('hex'));
  },
  guide({ headers, body }, secret) {
    const digest = createHmac('sha256', secret).update(body, 'utf8').digest('hex');
    return isSame(String(headers['x-webhook-signature']), `sha256=${digest}`);
  },
};

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

const formats: WebhookFormat[] = ['reference', 'core', 'guide'];
const webhooks = {} as Record<WebhookFormat, CreatedWebhook>;
let user: TestUser;
let place: Place & { user: TestUser };

/** Causes every event of projects and files once. */
beforeAll(async () => {
  user = await service.createUser({ name: 'Ada' });
  for (const format of formats) {
    // Answers 401 to an invalid signature, as the documents say, so that the delivery fails.
    receiver.reply(`/${format}`, (received) => ({
      status: verifiers[format](received, webhooks[format].secret) ? 200 : 401,
    }));
    const { url } = receiver.at(`/${format}`);
    webhooks[format] = await createWebhook(service, user, { url, format, events: ['*'] });
  }
  place = { ...(await newPlace(service)), user };
  place.projectId = (await createProject(service, user, { name: 'Engine' })).id;
  await onProject(service, user, place.projectId, ['PATCH', { name: 'Analytical engine' }]);
  const file = await writeFile(place, '/a.txt', 'one\n');
  await writeFile(place, '/a.txt', 'two\n');
  await inProject(place, 'POST', `/files/${file.id}/move`, { json: { path: '/b.txt' } });
  await inProject(place, 'POST', `/files/${file.id}/share`, { json: {}, headers: { 'idempotency-key': 'my-key' } });
  await inProject(place, 'GET', `/files/${file.id}/content`);
  await inProject(place, 'DELETE', `/files/${file.id}`);
  const member = await service.createUser();
  const { id } = await join(service, { owner: user, projectId: place.projectId }, member, { message: 'Come and see' });
  await ask(service, user, ['DELETE', `/projects/${place.projectId}/collaborators/${id}`]);
  await call('PATCH', `${service.url}/v1/user`, { token: user.key, json: { name: 'Ada L.' } });
  await onProject(service, user, place.projectId, ['DELETE']);
});

const others = [
  'project.created',
  'project.updated',
  'project.deleted',
  'file.shared',
  'file.downloaded',
  'file.deleted',
];
const files = ['file.created', 'file.updated', 'file.updated'];
const own: Record<WebhookFormat, string[]> = {
  reference: [
    ...others,
    ...files,
    'user.updated',
    'collaboration.invited',
    'collaboration.joined',
    'collaboration.left',
  ],
  core: [...others, ...files, 'user.updated', 'collaborator.invited', 'collaborator.joined', 'collaborator.removed'],
  // The guide has no names for the last two events, so it uses those of the reference.
  guide: [
    ...[...others, 'file.uploaded', 'file.uploaded', 'file.uploaded', 'user.updated'],
    ...['project.shared', 'collaboration.joined', 'collaboration.left'],
  ],
};

describe.each(formats)('a webhook of the format %s', (format) => {
  const nameOf = ({ json }: Received) => String(format === 'guide' ? json.type : json.event);
  let received: Received[];
  beforeAll(async () => {
    await settledDeliveries(service, user, { id: webhooks[format].webhook_id, count: own[format].length });
    ({ received } = receiver.at(`/${format}`));
  });

  test('gets each event once, under the name of its taxonomy', () => {
    expect(received.map(nameOf).sort()).toEqual([...own[format]].sort());
    for (const one of received) expect(one.headers['x-service-event']).toBe(nameOf(one));
  });

  test('gets bodies that the catalogue describes', () => {
    for (const { json } of received) expectCatalogued(format, json);
  });

  test('gets signatures that are valid for its own receiver and for the official Standard Webhooks package', async () => {
    const { secret } = webhooks[format];
    for (const one of received) {
      expect(verifiers[format](one, secret)).toBe(true);
      expect(verifiers[format]({ ...one, body: `${one.body} ` }, secret)).toBe(false);
      expect(verifiers[format](one, `${secret}x`)).toBe(false);
      const headers = Object.fromEntries(Object.entries(one.headers).map(([name, value]) => [name, String(value)]));
      expect(new StandardWebhook(secret).verify(one.body, headers)).toEqual(one.json);
    }
    const deliveries = await settledDeliveries(service, user, { id: webhooks[format].webhook_id, count: 1 });
    expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['success']));
  });

  test('gets the documented headers', () => {
    for (const { headers, json } of received) {
      expect(headers).toMatchObject({
        'user-agent': 'Service-Webhooks/1.0',
        'content-type': 'application/json',
        'x-service-webhook-id': webhooks[format].webhook_id,
        'x-service-delivery': expect.stringMatching(/^dlv_/),
        'x-service-timestamp': expect.any(String),
        'webhook-id': expect.stringMatching(/^evt_/),
      });
      if (format !== 'reference') expect(headers['webhook-id']).toBe(json.id);
      else expect(headers['x-service-delivery']).toBe(json.delivery_id);
    }
  });
});

const only = (format: WebhookFormat, name: string): Received => {
  const [found] = receiver
    .at(`/${format}`)
    .received.filter(({ json }) => (format === 'guide' ? json.type : json.event) === name);
  if (!found) throw new Error(`no ${name} at ${format}`);
  return found;
};

describe('the body of a delivery', () => {
  test('in the core variant nests the project with its owner, and the file', () => {
    expect(only('core', 'file.deleted').json.data).toMatchObject({
      project: { id: place.projectId, name: 'Analytical engine', owner: { id: user.id, name: expect.any(String) } },
      file: { path: '/b.txt', name: 'b.txt', type: 'text/plain', updated_by: { username: user.username } },
    });
  });

  test('in the guide variant names the causing request and its idempotency key', async () => {
    const stored = await service.db
      .selectFrom('events')
      .select(['id', 'request_id'])
      .where('type', '=', 'file.shared')
      .where('project_id', '=', place.projectId)
      .executeTakeFirst();
    expect(only('guide', 'file.shared').json).toMatchObject({
      id: stored?.id,
      request: { id: stored?.request_id, idempotency_key: 'my-key' },
    });
    expect(only('guide', 'file.deleted').json.request).toMatchObject({ idempotency_key: null });
  });

  test('in the core variant nests the collaborator, and in the guide variant the shared project', () => {
    expect(only('core', 'collaborator.invited').json.data).toMatchObject({
      project: { id: place.projectId },
      collaborator: { role: 'viewer', message: 'Come and see', invited_by: { username: user.username } },
    });
    expect(only('guide', 'project.shared').json.data).toMatchObject({
      object: { id: place.projectId, name: 'Analytical engine', shared_by: { username: user.username } },
    });
  });

  test('in the guide variant shows a change of a project with its from and to', () => {
    expect(only('guide', 'project.updated').json.data).toEqual({
      object: {
        id: place.projectId,
        name: 'Analytical engine',
        description: '',
        updated_at: expect.any(String),
        changes: { name: { from: 'Engine', to: 'Analytical engine' } },
      },
    });
  });
});

test('an event arrives under the name in the subscription, whatever the format', async () => {
  const { url } = receiver.at('/named');
  const events = ['file.uploaded', 'project.*'];
  const { webhook_id } = await createWebhook(service, user, { url, format: 'core', events });
  const other = { ...place, projectId: (await createProject(service, user)).id };
  await writeFile(other, '/a.txt', 'x');
  await settledDeliveries(service, user, { id: webhook_id, count: 2 });
  const names = receiver.at('/named').received.map(({ json }) => json.event);
  expect(names.sort()).toEqual(['file.uploaded', 'project.created']);
});

test('filters keep out events of other projects and paths', async () => {
  const [one, other] = [await createProject(service, user), await createProject(service, user)];
  const { url } = receiver.at('/filtered');
  const filters = { projects: [one.id], paths: ['/src/**'] };
  const { webhook_id } = await createWebhook(service, user, { url, events: ['file.*'], filters });
  for (const project of [other, one]) {
    for (const path of ['/src/a/b.ts', '/c.ts']) await writeFile({ ...place, projectId: project.id }, path);
  }
  await writeFile({ ...place, projectId: one.id }, '/src/last.ts');
  await settledDeliveries(service, user, { id: webhook_id, count: 2 });
  const paths = receiver.at('/filtered').received.map(({ json }) => (json.data as { file_path: string }).file_path);
  expect(paths.sort()).toEqual(['/src/a/b.ts', '/src/last.ts']);
});

test('during the overlap of a rotation, both secrets verify, and the hex headers use the new one', async () => {
  const { url } = receiver.at('/rotated');
  const { webhook_id, secret: former } = await createWebhook(service, user, { url });
  const rotated = await onWebhooks<{ secret: string }>(service, user, ['POST', `/${webhook_id}/rotate-secret`, {}]);
  await onWebhooks(service, user, ['POST', `/${webhook_id}/test`, {}]);
  const one = await receiver.at('/rotated').nth(0);
  const headers = Object.fromEntries(Object.entries(one.headers).map(([name, value]) => [name, String(value)]));
  for (const secret of [former, rotated.body.secret]) {
    expect(new StandardWebhook(secret).verify(one.body, headers)).toEqual(one.json);
  }
  for (const format of formats) {
    expect(verifiers[format](one, rotated.body.secret)).toBe(true);
    expect(verifiers[format](one, former)).toBe(false);
  }
});

test('every stored event has the data that the catalogue describes', async () => {
  const types = await expectStoredEventsCatalogued(service.db);
  expect([...types]).toEqual(
    expect.arrayContaining(['project.deleted', 'file.shared', 'user.registered', 'user.updated']),
  );
});
