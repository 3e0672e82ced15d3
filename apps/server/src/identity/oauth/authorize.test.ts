import { beforeAll, describe, expect, test } from 'vitest';
import { expectRateHeaders } from '../../testing/clients/expect-error.ts';
import { type Page, type PageBrowser, pageBrowser } from '../../testing/clients/page-browser.ts';
import { authorize, getTokens } from '../../testing/samples/oauth-flow.ts';
import {
  authorizeUrl,
  callback,
  postForm,
  type RegisteredApp,
  registerApp,
} from '../../testing/samples/oauth-tokens.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
let user: TestUser;
let app: RegisteredApp;
let browser: PageBrowser;
beforeAll(async () => {
  user = await service.createUser();
  app = await registerApp(service, user, { redirect_uris: [callback, 'https://app.example.com/other?x=1'] });
  browser = pageBrowser(service.url);
});

const open = (params: Record<string, string>) => browser.open(authorizeUrl(service, app, params));

function expectErrorPage(page: Page, status: number): void {
  expect(page.status, page.text).toBe(status);
  expect(page.headers.get('location')).toBeNull();
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page.headers.get('x-request-id')).toMatch(/^req_/);
  expectRateHeaders(page.headers);
  expect(page.text).not.toMatch(/<script|<a /);
}

/** Expects a redirect to the app with an error and the app's own state. */
function expectErrorAtApp(page: Page, error: string): URL {
  const back = new URL(page.url);
  expect(back.origin + back.pathname, page.text).toBe(callback);
  // For response types that answer in the fragment, the error is there too.
  const told = back.hash ? new URLSearchParams(back.hash.slice(1)) : back.searchParams;
  expect(Object.fromEntries(told)).toMatchObject({ error, state: 'state', iss: service.url });
  return back;
}

describe('a redirect URI that the app did not register (ASVS 10.4.1)', () => {
  test.each([
    'https://evil.example.com/callback',
    'https://app.example.com/callback/',
    'https://app.example.com/callback?x=1',
    'https://app.example.com/Callback',
    'https://app.example.com/callback#fragment',
    'https://app.example.com/callback/../evil',
    'https://app.example.com:443/callback',
    'https://app.example.com:8443/callback',
    'https://APP.example.com/callback',
    'https://app.example.com.evil.example.com/callback',
    'https://app.example.com@evil.example.com/callback',
    'https://evil.example.com/https://app.example.com/callback',
    'http://app.example.com/callback',
    '//app.example.com/callback',
    'javascript:alert(1)//https://app.example.com/callback',
    'data:text/html,x',
    'https://app.example.com/other',
    'https://app.example.com/other?x=2',
    '/callback',
    ' https://app.example.com/callback',
    '',
  ])('gets an error page and no redirect: %s', async (redirect_uri) => {
    expectErrorPage(await open({ redirect_uri }), 400);
  });

  test('gets an error page if it is missing although two are registered', async () => {
    const url = new URL(authorizeUrl(service, app));
    url.searchParams.delete('redirect_uri');
    expectErrorPage(await browser.open(url.href), 400);
  });

  test('gets an error page if it is the second one, beside a registered one', async () => {
    const url = new URL(authorizeUrl(service, app));
    url.searchParams.append('redirect_uri', 'https://evil.example.com/');
    expectErrorPage(await browser.open(url.href), 400);
  });

  test('does not receive the error of a bad request either', async () => {
    expectErrorPage(await open({ redirect_uri: 'https://evil.example.com/', response_type: 'token' }), 400);
    expectErrorPage(await open({ redirect_uri: 'https://evil.example.com/', scope: 'unknown' }), 400);
  });
});

describe('an unknown app', () => {
  test.each(['app_00000000000000000000000000', 'nobody', '', '%00', "' or 1=1", 'x'.repeat(5000)])(
    'gets a page and no redirect: %s',
    async (id) => {
      expectErrorPage(await open({ client_id: id }), 400);
    },
  );

  test('gets a page and no redirect if it was deleted', async () => {
    const gone = await registerApp(service, user);
    await fetch(`${service.url}/v1/user/oauth-apps/${gone.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${user.key}` },
    });
    expectErrorPage(await browser.open(authorizeUrl(service, gone)), 400);
  });
});

describe('a bad request of a known app', () => {
  test.each([
    ['invalid_scope', { scope: 'read:projects read:everything' }],
    ['invalid_scope', { scope: 'openid' }],
    ['invalid_scope', { scope: '' }],
    ['invalid_scope', { scope: 'read:projects\u00e9' }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['unsupported_response_type', { response_type: 'code id_token' }],
    ['invalid_request', { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge: 'short', code_challenge_method: 'S256' }],
    ['invalid_target', { resource: 'https://elsewhere.example.com/' }],
    ['login_required', { prompt: 'none' }],
    ['invalid_request', { prompt: 'none login' }],
    ['request_not_supported', { request: 'x.y.z' }],
  ])('is reported to the app as %s for %j', async (error, params) => {
    expectErrorAtApp(await open(params), error);
  });

  test('is reported with the scope that is unknown', async () => {
    const back = expectErrorAtApp(await open({ scope: 'read:projects read:all' }), 'invalid_scope');
    expect(back.searchParams.get('scope')).toBe('read:all');
  });

  test('is one without PKCE if the app is public', async () => {
    const forPages = await registerApp(service, user, { type: 'public' });
    expectErrorAtApp(await browser.open(authorizeUrl(service, forPages)), 'invalid_request');
  });
});

test('the scope offline_access is accepted and grants nothing', async () => {
  const tokens = await getTokens(service, app, user, { scope: 'read:projects offline_access' });
  expect(tokens.scope).toBe('read:projects');
  const asked = await getTokens(service, app, user, { scope: 'read:files offline_access', prompt: 'consent' });
  expect(asked.scope).toBe('read:files');
});

test('control characters and invalid encodings lead to an error page, never to a 500', async () => {
  for (const bad of ['state=%00', 'state=a%0d%0aX: y', 'x=%1f', 'state=%7F', 'state=%zz', 'state=%ff%fe']) {
    const page = await browser.open(`${authorizeUrl(service, app)}&${bad}`);
    expectErrorPage(page, 400);
  }
});

test('an answer in any other way than by the query is not offered (ASVS 10.4.12)', async () => {
  for (const response_mode of ['form_post', 'fragment', 'web_message', 'jwt']) {
    expectErrorPage(await open({ response_mode }), 400);
  }
});

test('a redirect URI is compared by its text, with its query (ASVS 10.4.1)', async () => {
  const other = 'https://app.example.com/other?x=1';
  const { back } = await authorize(
    pageBrowser(service.url),
    user,
    authorizeUrl(service, app, { redirect_uri: other, state: 'a&b=c' }),
  );
  expect(back.searchParams.get('x')).toBe('1');
  expect(back.searchParams.get('state')).toBe('a&b=c');
  expect(back.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
});

test('an app on a device may redirect to any port of loopback, and to no other address', async () => {
  const native = await registerApp(service, user, { type: 'public', redirect_uris: ['http://127.0.0.1/callback'] });
  const pkce = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
  const url = (redirect_uri: string) => authorizeUrl(service, native, { ...pkce, redirect_uri });
  const { back } = await authorize(pageBrowser(service.url), user, url('http://127.0.0.1:51234/callback'));
  expect(back.host).toBe('127.0.0.1:51234');
  for (const wrong of ['http://127.0.0.2:51234/callback', 'http://127.0.0.1:51234/', 'http://localhost/callback']) {
    expectErrorPage(await browser.open(url(wrong)), 400);
  }
});

test('a browser that begins too many authorizations from one address has to wait', async () => {
  const fresh = browser;
  let page = await fresh.request(authorizeUrl(service, app));
  for (let more = 0; more < 300 && page.status !== 429; more++) page = await fresh.request(authorizeUrl(service, app));
  expect(page.status).toBe(429);
  expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(page.text).toContain('Too many attempts');
  // Apps themselves are not affected.
  expect((await postForm(`${service.url}/oauth/token`, { grant_type: 'x' })).status).toBe(400);
});
