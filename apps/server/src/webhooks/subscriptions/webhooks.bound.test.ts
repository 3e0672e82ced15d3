import type { CreatedWebhook, Scope, Webhook } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { useReceiver } from '../../testing/clients/webhook-receiver.ts';
import { issueAccessToken } from '../../testing/samples/oauth-tokens.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { createWebhook, onWebhooks } from '../../testing/samples/sample-webhooks.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { happen } from '../subscription.fixture.ts';

const service = useTestService();
const receiver = useReceiver();
const forbidden = { status: 403, code: 'AUTHORIZATION_ERROR' } as const;
let user: TestUser;
beforeAll(async () => {
  user = await service.createUser();
});

let places = 0;
const newPlace = () => receiver.at(`/bound-${++places}`);
const create = (key: string, events: string[], url = newPlace().url) =>
  onWebhooks<CreatedWebhook>(service, { key }, ['POST', '', { url, events, name: 'Bound' }]);
const read = async (id: string) => (await onWebhooks<Webhook>(service, user, ['GET', `/${id}`])).body;

const narrow = async (kind: 'key' | 'app', scopes: Scope[]): Promise<string> =>
  kind === 'key'
    ? (await service.createKey(user.id, { scopes })).key
    : (await issueAccessToken(service, user.id, scopes)).token;

describe.each(['key', 'app'] as const)('a %s with few scopes', (kind) => {
  test.each<[string, Scope]>([
    ['project.created', 'read:projects'],
    ['project.shared', 'read:projects'],
    ['collaborator.joined', 'read:projects'],
    ['file.*', 'read:files'],
    ['build.failed', 'read:deployments'],
    ['deployment.*', 'read:deployments'],
    ['user.login', 'read:user'],
    ['security.alert', 'read:user'],
  ])('can make a webhook for %s only with %s', async (event, scope) => {
    const refused = await create(await narrow(kind, ['write:webhooks']), ['test.ping', event]);
    expectError(refused, forbidden);
    expect(refused.text).toContain(scope);
    expect((await create(await narrow(kind, ['write:webhooks', scope]), [event])).status).toBe(201);
  });

  test('can make a webhook for all events only with every scope to read', async () => {
    const most: Scope[] = [
      ...(['read:projects', 'read:files', 'write:deployments', 'write:webhooks'] as const),
      ...(['read:user', 'read:workspaces', 'read:checks'] as const),
    ];
    expectError(await create(await narrow(kind, most), ['*']), forbidden);
    expect((await create(await narrow(kind, [...most, 'read:collaboration']), ['*'])).status).toBe(201);
  });

  test('cannot redirect, activate or widen a webhook that it did not make', async () => {
    const { webhook_id } = await createWebhook(service, user, { events: ['*'], active: false });
    const key = await narrow(kind, ['write:webhooks', 'read:projects']);
    const put = (change: unknown) => onWebhooks(service, { key }, ['PUT', `/${webhook_id}`, change]);
    for (const change of [{ url: 'https://evil.example.com' }, { active: true }, { events: ['*', 'file.created'] }]) {
      expectError(await put(change), forbidden);
    }
    expect((await put({ name: 'Renamed' })).status).toBe(200);
    expect((await put({ events: ['project.created'] })).status).toBe(200);
  });
});

describe('a webhook that an app made', () => {
  const all: Scope[] = ['write:webhooks', 'read:user', 'read:projects'];
  async function made(scopes = all) {
    const place = newPlace();
    const app = await issueAccessToken(service, user.id, scopes);
    const { body } = await create(app.token, ['user.updated'], place.url);
    return { ...app, place, id: body.webhook_id };
  }
  /** Waits until the user's own webhook gets the event. The other one would have it by then too. */
  async function happenedAndTold(place: ReturnType<typeof newPlace>): Promise<number> {
    const own = newPlace();
    await create(user.key, ['user.updated'], own.url);
    await happen(service, { accountId: user.id });
    await own.nth(0);
    return place.received.length;
  }

  test('gets events while its app may act for the user', async () => {
    const { place } = await made();
    await happen(service, { accountId: user.id });
    await place.nth(0);
  });

  test.each<[string, (app: { appId: string; grantId: string }) => Promise<unknown>]>([
    ['the user takes the app back', ({ appId }) => own('DELETE', `/user/authorized-apps/${appId}`)],
    ['the app is deleted', ({ appId }) => own('DELETE', `/user/oauth-apps/${appId}`)],
    [
      'a stolen token ends its authorization',
      ({ grantId }) => service.db.deleteFrom('oauth_grants').where('id', '=', grantId).execute(),
    ],
  ])('is switched off, with the reason, when %s', async (_what, end) => {
    const webhook = await made();
    await end(webhook);
    expect(await read(webhook.id)).toMatchObject({
      active: false,
      disabled_reason: expect.stringContaining('authorization'),
      disabled_at: expect.any(String),
    });
    expect(await happenedAndTold(webhook.place)).toBe(0);
  });
  const own = (method: string, path: string) => call(method, `${service.url}/v1${path}`, { token: user.key });

  test('gets no events once the authorization has expired', async () => {
    const { place, grantId } = await made();
    await service.db
      .updateTable('oauth_grants')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('id', '=', grantId)
      .execute();
    expect(await happenedAndTold(place)).toBe(0);
  });

  test('belongs to its user once they switch it on again, until an app changes it', async () => {
    const { id, place, appId } = await made();
    await own('DELETE', `/user/authorized-apps/${appId}`);
    await onWebhooks(service, user, ['PUT', `/${id}`, { active: true }]);
    await happen(service, { accountId: user.id });
    await place.nth(0);

    const other = await issueAccessToken(service, user.id, all);
    const moved = newPlace();
    await onWebhooks(service, { key: other.token }, ['PUT', `/${id}`, { url: moved.url }]);
    await own('DELETE', `/user/authorized-apps/${other.appId}`);
    expect((await read(id)).active).toBe(false);
    expect(await happenedAndTold(moved)).toBe(0);
  });

  test('goes on if its user only pauses it, and still ends with its app', async () => {
    const { id, appId } = await made();
    for (const active of [false, true]) await onWebhooks(service, user, ['PUT', `/${id}`, { active }]);
    expect((await read(id)).active).toBe(true);
    await own('DELETE', `/user/authorized-apps/${appId}`);
    expect((await read(id)).active).toBe(false);
  });
});

test('an administrator’s webhook gets events of every account only if an unrestricted credential made it', async () => {
  const admin = await service.createUser({ isAdmin: true });
  const scopes: Scope[] = ['write:webhooks', 'read:user'];
  const [whole, byKey, byApp] = [newPlace(), newPlace(), newPlace()];
  const { key } = await service.createKey(admin.id, { scopes });
  const { token } = await issueAccessToken(service, admin.id, scopes);
  for (const [made, place] of [
    [key, byKey],
    [token, byApp],
    [admin.key, whole],
  ] as const) {
    expect((await create(made, ['user.updated'], place.url)).status).toBe(201);
  }
  await happen(service, { accountId: user.id });
  await happen(service, { accountId: admin.id });
  await whole.nth(1);
  for (const place of [byKey, byApp]) {
    await place.nth(0);
    expect(place.received).toHaveLength(1);
  }
});

test('a project’s webhook that an app made also ends with the app', async () => {
  const { id: projectId } = await createProject(service, user);
  const app = await issueAccessToken(service, user.id, ['write:webhooks', 'read:files']);
  const json = { url: newPlace().url, events: ['file.created'], name: 'Bound', project_id: projectId };
  const { body } = await onWebhooks<CreatedWebhook>(service, { key: app.token }, ['POST', '', json]);
  await call('DELETE', `${service.url}/v1/user/authorized-apps/${app.appId}`, { token: user.key });
  expect((await read(body.webhook_id)).active).toBe(false);
});
