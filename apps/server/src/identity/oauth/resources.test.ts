import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { pageBrowser } from '../../testing/clients/page-browser.ts';
import { authorize, getCode, getTokens, refresh } from '../../testing/samples/oauth-flow.ts';
import { authorizeUrl, exchange, type RegisteredApp, registerApp } from '../../testing/samples/oauth-tokens.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { audienceOf } from './resources.ts';

const service = useTestService();
let user: TestUser;
let app: RegisteredApp;
beforeAll(async () => {
  user = await service.createUser();
  app = await registerApp(service, user);
});

const forAgents = () => ({ resource: `${service.url}/mcp` });
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const atApi = async (token: string) => (await call('GET', `${service.url}/v1/projects`, { token })).status;
const atMcp = async (token: string) => {
  const headers = { accept: 'application/json, text/event-stream' };
  return (await call('POST', `${service.url}/mcp`, { token, json: ping, headers })).status;
};

describe('a token (RFC 8707)', () => {
  test('is for the API if no resource was named', async () => {
    const { access_token: token } = await getTokens(service, app, user);
    expect([await atApi(token), await atMcp(token)]).toEqual([200, 401]);
  });

  test('for /mcp is valid only there, and so are the tokens that follow from its refresh', async () => {
    const { access_token: token, refresh_token } = await getTokens(service, app, user, forAgents());
    expect([await atApi(token), await atMcp(token)]).toEqual([401, 200]);
    const { access_token: next } = (await refresh(service, app, refresh_token)).body as { access_token: string };
    expect([await atApi(next), await atMcp(next)]).toEqual([401, 200]);
  });

  test.each([
    ['a code for /mcp', forAgents, { resource: 'urn:bottega:api' }],
    ['a code for the API', () => ({}), forAgents],
  ])('for another resource is not given in exchange for %s', async (_what, asked, wanted) => {
    const code = await getCode(service, app, user, asked());
    const answer = await exchange(service, app, { code, ...(typeof wanted === 'function' ? wanted() : wanted) });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_target']);
  });

  test('is for what the app asked for, even if another user signs in on the way', async () => {
    const browser = pageBrowser(service.url);
    const first = await service.createUser();
    await authorize(browser, first, authorizeUrl(service, app));
    const page = await browser.open(authorizeUrl(service, app, { ...forAgents(), prompt: 'consent' }));
    const again = await browser.press(page, 'switch');
    const { back } = await authorize(browser, user, again.url);
    const answer = await exchange(service, app, { code: back.searchParams.get('code') ?? '' });
    expect(await atMcp(String(answer.body.access_token))).toBe(200);
  });

  test('is for /mcp even if the app names the whole address that it was given', async () => {
    const resource = `${service.url}/mcp?project=prj_00000000000000000000000000&access=write`;
    const code = await getCode(service, app, user, { resource });
    const answer = await exchange(service, app, { code, resource });
    expect(answer.status, answer.text).toBe(200);
    expect(await atMcp(String(answer.body.access_token))).toBe(200);
    const next = { grant_type: 'refresh_token', refresh_token: String(answer.body.refresh_token), resource };
    expect((await exchange(service, app, next)).status).toBe(200);
  });

  test.each(['/mcp/', '/mcp/?x', '/mcpx', '/mcp#x', ''])(
    'is not given for %s, which is another resource',
    async (path) => {
      const page = await pageBrowser(service.url).open(
        authorizeUrl(service, app, { resource: `${service.url}${path}` }),
      );
      expect(new URL(page.url).searchParams.get('error')).toBe('invalid_target');
    },
  );

  test('for a former address of the service is refused', async () => {
    const { access_token: token } = await getTokens(service, app, user, forAgents());
    await service.pool.query(
      `update oauth_records set payload = payload || '{"aud": "https://old.example.com/mcp"}' where payload->>'aud' like '%/mcp'`,
    );
    expectError(await call('GET', `${service.url}/v1/user`, { token }), { status: 401, code: 'AUTHENTICATION_ERROR' });
    expect(await atMcp(token)).toBe(401);
  });
});

test('a stored audience is recognized by its exact text only', () => {
  const known = [null, 'bottega', 'https://b.example/mcp', 'https://b.example/mcp/', 'https://b.example', ''];
  expect(known.map((one) => audienceOf(one, 'https://b.example'))).toEqual(['api', 'api', 'mcp', null, null, null]);
});
