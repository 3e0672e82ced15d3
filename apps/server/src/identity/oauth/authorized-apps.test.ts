import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signedInBrowser } from '../../testing/clients/browser.ts';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { pageBrowser } from '../../testing/clients/page-browser.ts';
import { toldMs, waitFor } from '../../testing/parts/wait-for.ts';
import { authorize, getTokens, refresh } from '../../testing/samples/oauth-flow.ts';
import {
  authorizeUrl,
  callback,
  exchange,
  type RegisteredApp,
  registerApp,
} from '../../testing/samples/oauth-tokens.ts';
import { startNode } from '../../testing/service/node.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
let owner: TestUser;
let user: TestUser;
let app: RegisteredApp;
let second: Awaited<ReturnType<typeof startNode>>;
beforeAll(async () => {
  second = await startNode(service.database);
  owner = await service.createUser();
  user = await service.createUser();
  app = await registerApp(service, owner);
});
afterAll(() => second?.close());

const path = '/v1/user/authorized-apps';
const list = async (by = user) => (await call('GET', `${service.url}${path}`, { token: by.key })).body.data;
const revoke = (id: string, by = user) => call('DELETE', `${service.url}${path}/${id}`, { token: by.key });
const statusOn = async (url: string, token: string) => (await call('GET', `${url}/v1/projects`, { token })).status;

describe('the apps that a user authorized (ASVS 10.4.9)', () => {
  test('are listed with what they may do and when they last got a token', async () => {
    expect(await list()).toEqual([]);
    await getTokens(service, app, user, { scope: 'write:files read:projects' });
    expect(await list()).toEqual([
      {
        app: { id: app.id, name: 'Drawing Board' },
        scopes: ['read:projects', 'write:files'],
        authorized_at: expect.stringMatching(/Z$/),
        last_used_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect(await list(owner)).toEqual([]);
    const audit = await service.db
      .selectFrom('audit_log')
      .select(['actor_id', 'subject_id', 'details', 'address'])
      .where('account_id', '=', user.id)
      .where('action', '=', 'oauth_grant.created')
      .execute();
    expect(audit).toEqual([
      {
        actor_id: user.id,
        subject_id: app.id,
        details: { scopes: ['read:projects', 'write:files'] },
        address: '127.0.0.1',
      },
    ]);
  });

  test('lose all access when it is revoked: here at once, on another node as soon as that node is told', async () => {
    const one = await getTokens(service, app, user);
    const other = await getTokens(service, app, user);
    for (const { access_token } of [one, other]) expect(await statusOn(second.url, access_token)).toBe(200);
    expect((await revoke(app.id)).status).toBe(204);
    for (const { access_token, refresh_token } of [one, other]) {
      expect(await statusOn(service.url, access_token)).toBe(401);
      expect((await refresh(service, app, refresh_token)).body.error).toBe('invalid_grant');
      await waitFor(
        'the second node refuses it',
        async () => (await statusOn(second.url, access_token)) === 401,
        toldMs,
      );
    }
    expect(await list()).toEqual([]);
    const { rows } = await service.pool.query(
      `select from oauth_records r where r.grant_id is not null and r.model like '%Token'`,
    );
    expect(rows).toEqual([]);
    expectError(await revoke(app.id), { status: 404, code: 'NOT_FOUND' });
  });

  test('have to ask again after a revocation', async () => {
    const browser = pageBrowser(service.url);
    await authorize(browser, user, authorizeUrl(service, app));
    await revoke(app.id);
    expect((await authorize(browser, user, authorizeUrl(service, app))).asked).toEqual(['consent']);
  });

  test('can be revoked by their user, and by nobody else', async () => {
    await getTokens(service, app, user);
    expectError(await revoke(app.id, owner), { status: 404, code: 'NOT_FOUND' });
    for (const bad of ['x', '%00', 'app_00000000000000000000000000']) {
      expectError(await revoke(bad), { status: 404, code: 'NOT_FOUND' });
    }
    expect(await list()).toHaveLength(1);
  });

  test('can be revoked from a browser too', async () => {
    await getTokens(service, app, user);
    const browser = await signedInBrowser(service.url, user);
    expect((await browser.ask('DELETE', `/user/authorized-apps/${app.id}`)).status).toBe(204);
  });
});

test('a token that its app revokes stops on another node as soon as that node is told', async () => {
  const tokens = await getTokens(service, app, user);
  expect(await statusOn(second.url, tokens.access_token)).toBe(200);
  const body = new URLSearchParams({
    client_id: app.client_id,
    client_secret: app.client_secret,
    token: tokens.access_token,
  });
  expect((await fetch(`${service.url}/oauth/revoke`, { method: 'POST', body })).status).toBe(200);
  await waitFor(
    'the second node refuses it',
    async () => (await statusOn(second.url, tokens.access_token)) === 401,
    toldMs,
  );
});

test('an authorization during which consent is revoked leaves either a listed app with a token that works, or neither', async () => {
  const racing = await service.createUser();
  const browser = pageBrowser(service.url);
  await authorize(browser, racing, authorizeUrl(service, app));
  for (let round = 0; round < 5; round++) {
    const [came] = await Promise.all([authorize(browser, racing, authorizeUrl(service, app)), revoke(app.id, racing)]);
    const { code, error } = Object.fromEntries(came.back.searchParams);
    const { body } = await exchange(service, app, { code: code ?? '', redirect_uri: callback });
    const token = typeof body.access_token === 'string' ? body.access_token : null;
    const works = token !== null && (await statusOn(service.url, token)) === 200;
    expect(error).toEqual(code ? undefined : expect.any(String));
    expect(await list(racing)).toHaveLength(works ? 1 : 0);
  }
});
