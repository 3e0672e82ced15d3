import { describe, expect, test } from 'vitest';
import { signedInBrowser, signIn, testPassword } from '../../testing/clients/browser.ts';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { sendBytes } from '../../testing/clients/raw-http.ts';
import { startTestService, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ settings: { BOTTEGA_RATE_LIMIT_SESSION: '777/70' } });
const forbidden = { status: 403, code: 'AUTHORIZATION_ERROR' } as const;
const unauthenticated = { status: 401, code: 'AUTHENTICATION_ERROR' } as const;

const setUp = async () => {
  const user = await service.createUser();
  return { user, browser: await signedInBrowser(service.url, user) };
};
const projects = (userId: string) =>
  service.db.selectFrom('projects').select('id').where('owner_id', '=', userId).execute();

describe('a change by cookie (ASVS 3.5.1)', () => {
  test('is made if it comes from our own page with the token of the session', async () => {
    const { user, browser } = await setUp();
    expect((await browser.ask('POST', '/projects', { json: { name: 'Mine' } })).status).toBe(201);
    expect(await projects(user.id)).toHaveLength(1);
  });

  test.each([
    ['has no token', { 'x-csrf-token': '' }],
    ['has a made-up token', { 'x-csrf-token': 'A'.repeat(43) }],
    ['has a token that is too long', { 'x-csrf-token': 'A'.repeat(5000) }],
    ['comes from another site', { origin: 'https://evil.example' }],
    ['comes from a site whose name begins like ours', { origin: 'http://localhost.evil.example' }],
    ['comes from another port', { origin: 'http://localhost:1' }],
    ['comes from a page without an origin', { origin: 'null' }],
    ['is called cross-site by the browser', { 'sec-fetch-site': 'cross-site' }],
    ['is called same-site by the browser', { 'sec-fetch-site': 'same-site' }],
  ])('that %s is refused, and nothing is done', async (_what, headers) => {
    const { user, browser } = await setUp();
    expectError(await browser.ask('POST', '/projects', { json: { name: 'Not mine' }, headers }), forbidden);
    expect(await projects(user.id)).toEqual([]);
  });

  test('with the token of another session is refused', async () => {
    const [one, other] = [await setUp(), await setUp()];
    const headers = { 'x-csrf-token': other.browser.session.csrf_token };
    expectError(await one.browser.ask('POST', '/projects', { json: { name: 'x' }, headers }), forbidden);
  });

  test.each(['PATCH', 'PUT', 'DELETE', 'POST'])(
    'needs the token of the session with every method: %s',
    async (method) => {
      const { user, browser } = await setUp();
      const json = method === 'DELETE' ? undefined : { name: 'Changed' };
      const path = method === 'PATCH' ? '/user' : '/projects/prj_00000000000000000000000000';
      const answer = await browser.ask(method, path, { json, headers: { 'x-csrf-token': '' } });
      // There is no such route for POST.
      if (method === 'POST') expect(answer.status).toBe(404);
      else expectError(answer, forbidden);
      const row = await service.db.selectFrom('users').select('name').where('id', '=', user.id).executeTakeFirst();
      expect(row?.name).toBe(user.name);
    },
  );

  test('cannot come from a form, which cannot send JSON, and nothing else is read (ASVS 3.5.2)', async () => {
    const { browser } = await setUp();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const answer = await call('POST', `${service.url}/v1/projects`, {
        body: Buffer.from('{"name":"x"}'),
        headers: { cookie: browser.cookie, 'content-type': type, 'x-csrf-token': browser.session.csrf_token },
      });
      expectError(answer, { status: 415, code: 'VALIDATION_ERROR' });
    }
  });

  test('differs from a read, which needs no token but is not shown to pages of other sites', async () => {
    const { browser } = await setUp();
    const headers = { 'x-csrf-token': '', origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const answer = await browser.ask('GET', '/user', { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('a cookie', () => {
  test.each([
    ['that is made up', (value: string) => `bottega_session=${'A'.repeat(value.length)}`],
    ['that is cut off', (value: string) => `bottega_session=${value.slice(0, -1)}`],
    ['with quotes', (value: string) => `bottega_session="${value}"`],
    ['by another name', (value: string) => `session=${value}`],
    ['by the name for HTTPS', (value: string) => `__Host-bottega_session=${value}`],
    [
      'beside a planted one (ASVS 3.3.3)',
      (value: string) => `bottega_session=${'B'.repeat(43)}; bottega_session=${value}`,
    ],
    ['before a planted one', (value: string) => `bottega_session=${value}; bottega_session=${'B'.repeat(43)}`],
  ])('%s lets nobody in', async (_what, forge) => {
    const { browser } = await setUp();
    const cookie = forge(browser.cookie.replace('bottega_session=', ''));
    expectError(await call('GET', `${service.url}/v1/user`, { headers: { cookie } }), unauthenticated);
  });

  test('is found beside cookies of other names', async () => {
    const { browser } = await setUp();
    const cookie = `a=b; xbottega_session=1;${browser.cookie} ; c="d;e"`;
    expect((await call('GET', `${service.url}/v1/user`, { headers: { cookie } })).status).toBe(200);
  });

  test("'s value is no bearer token, nor a key a cookie", async () => {
    const { user, browser } = await setUp();
    const token = browser.cookie.replace('bottega_session=', '');
    expectError(await call('GET', `${service.url}/v1/user`, { token }), unauthenticated);
    const cookie = `bottega_session=${user.key}`;
    expectError(await call('GET', `${service.url}/v1/user`, { headers: { cookie } }), unauthenticated);
  });

  test('does not help a request with a bad Authorization header, which takes precedence', async () => {
    const { browser } = await setUp();
    const headers = { cookie: browser.cookie };
    expectError(await call('GET', `${service.url}/v1/user`, { token: 'nonsense', headers }), unauthenticated);
    const other = await service.createUser();
    const answer = await call('GET', `${service.url}/v1/user`, { token: other.key, headers });
    expect(answer.body.id).toBe(other.id);
  });

  test('does not give access to git', async () => {
    const { browser } = await setUp();
    const made = await browser.ask<{ id: string }>('POST', '/projects', { json: { name: 'x' } });
    const url = `${service.url}/git/${made.body.id}.git/info/refs?service=git-upload-pack`;
    const answer = await call('GET', url, { headers: { cookie: browser.cookie } });
    expect(answer.status).toBe(401);
  });
});

describe('the sessions of a user', () => {
  test('have a request budget of their own, beside that of the user’s keys', async () => {
    const { user, browser } = await setUp();
    const bySession = await browser.ask('GET', '/user');
    expect(bySession.headers.get('x-ratelimit-limit')).toBe('777');
    expect(bySession.headers.get('x-ratelimit-remaining')).toBe('776');
    const another = await signedInBrowser(service.url, user);
    expect((await another.ask('GET', '/user')).headers.get('x-ratelimit-remaining')).toBe('775');
    const byKey = await call('GET', `${service.url}/v1/user`, { token: user.key });
    expect(byKey.headers.get('x-ratelimit-limit')).toBe('1000000');
    expect(byKey.headers.get('x-ratelimit-remaining')).toBe('999999');
  });
});

describe('a sign-in from a page of another site (ASVS 3.5.1)', () => {
  test.each([{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }, { origin: 'null' }])(
    'is refused before the password is checked: %j',
    async (headers) => {
      const user = await service.createUser();
      const answer = await signIn(service.url, { email: user.email }, headers);
      expectError(answer, forbidden);
      expect(answer.headers.get('set-cookie')).toBeNull();
    },
  );
});

describe('on HTTPS', () => {
  test('the cookie is Secure and has the prefix __Host-, and the plain name is not accepted (ASVS 3.3.1)', async () => {
    const settings = { BOTTEGA_PUBLIC_URL: 'https://bottega.example.com' };
    const { running, close } = await startTestService({ settings, role: 'api' });
    const { port } = running.service.app.server.address() as { port: number };
    const url = `http://127.0.0.1:${port}`;
    const user = await running.createUser();
    const json = { email: user.email, password: testPassword };
    const headers = { origin: 'https://bottega.example.com', 'sec-fetch-site': 'same-origin' };
    const answer = await call('POST', `${url}/v1/auth/sign-in`, { json, headers });
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      /^__Host-bottega_session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax; Secure$/,
    );
    const [pair = ''] = cookie.split(';');
    expect((await call('GET', `${url}/v1/user`, { headers: { cookie: pair } })).status).toBe(200);
    const plain = pair.replace('__Host-', '');
    expectError(await call('GET', `${url}/v1/user`, { headers: { cookie: plain } }), unauthenticated);
    await close();
  });
});

describe('a smuggled request', () => {
  const ask = async (target: string, lines: string[]) =>
    sendBytes(service.url, `${[`GET ${target} HTTP/1.1`, 'Host: localhost', ...lines].join('\r\n')}\r\n\r\n`);

  test.each([
    '//v1/user',
    '/v1//user',
    '/%2fv1/user',
    '/v1%2fuser',
    '/v1/./user',
    '/v1/%2e/user',
    '/V1/user',
    '/v1/user/',
  ])('to the address %s reaches no route, even with a good credential (ASVS 4.1.3)', async (target) => {
    const { user } = await setUp();
    const answer = await ask(target, [`Authorization: Bearer ${user.key}`]);
    expectError(answer, { status: 404, code: 'NOT_FOUND' });
  });

  test('with two Authorization headers acts as the first one says, never as a mixture (ASVS 4.2.1)', async () => {
    const [one, other] = [await service.createUser(), await service.createUser()];
    const both = await ask('/v1/user', [`Authorization: Bearer ${one.key}`, `Authorization: Bearer ${other.key}`]);
    expect(both).toMatchObject({ status: 200, body: { id: one.id } });
    const bad = await ask('/v1/user', ['Authorization: Bearer nonsense', `Authorization: Bearer ${other.key}`]);
    expectError(bad, unauthenticated);
  });

  test('with two Cookie headers that each have a session lets nobody in', async () => {
    const [one, other] = [await setUp(), await setUp()];
    const answer = await ask('/v1/user', [`Cookie: ${one.browser.cookie}`, `Cookie: ${other.browser.cookie}`]);
    expectError(answer, unauthenticated);
  });

  test.each(['X-Original-URL: /v1/user', 'X-Rewrite-URL: /v1/user', 'X-HTTP-Method-Override: DELETE', 'X-User-Id: x'])(
    'with the header %s changes nothing',
    async (line) => {
      expectError(await ask('/v1/projects', [line]), unauthenticated);
    },
  );
});
