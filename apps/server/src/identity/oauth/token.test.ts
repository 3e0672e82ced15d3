import { randomBytes } from 'node:crypto';
import { calculatePKCECodeChallenge } from 'oauth4webapi';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectRateHeaders } from '../../testing/clients/expect-error.ts';
import { type Answer, call } from '../../testing/clients/http-client.ts';
import { pageBrowser } from '../../testing/clients/page-browser.ts';
import { expectStoredEventsCatalogued } from '../../testing/contract/catalogue-validator.ts';
import { authorize, getCode, getTokens, refresh } from '../../testing/samples/oauth-flow.ts';
import {
  authorizeUrl,
  callback,
  exchange,
  postForm,
  type RegisteredApp,
  registerApp,
} from '../../testing/samples/oauth-tokens.ts';
import { startTestService, type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
let user: TestUser;
let app: RegisteredApp;
beforeAll(async () => {
  user = await service.createUser();
  app = await registerApp(service, user);
});

const at = (endpoint: string) => `${service.url}/oauth/${endpoint}`;
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
const get = (token: string, path = '/v1/projects') => call('GET', `${service.url}${path}`, { token });

/** RFC 6749, 5.2: the error's name, a description, and the headers of all our answers. */
function expectOauthError(answer: Answer<unknown>, status: number, error: string): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: { error, error_description: expect.stringMatching(/./) },
  });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
  expectRateHeaders(answer.headers);
}

describe('the exchange of a code', () => {
  test('works with the secret in the form or by Basic', async () => {
    expect((await exchange(service, app, { code: await getCode(service, app, user) })).status).toBe(200);
    const code = await getCode(service, app, user);
    const fields = { grant_type: 'authorization_code', code, redirect_uri: callback };
    expect((await postForm(at('token'), fields, basic(app.client_id, app.client_secret))).status).toBe(200);
  });

  test.each<[string, number, string, Record<string, string>]>([
    ['a wrong secret', 401, 'invalid_client', { client_secret: `bts_${'x'.repeat(43)}` }],
    ['no secret', 401, 'invalid_client', { client_secret: '' }],
    ['an unknown app', 401, 'invalid_client', { client_id: 'app_00000000000000000000000000' }],
    ['no app', 401, 'invalid_client', { client_id: 'x' }],
    [
      'the placeholder that stands for the secret',
      401,
      'invalid_client',
      {
        client_secret: 'the secret is compared by its digest',
      },
    ],
    ['an unknown code', 400, 'invalid_grant', { code: randomBytes(32).toString('base64url') }],
    ['a NUL for a code', 400, 'invalid_grant', { code: '\0' }],
    ['another redirect URI', 400, 'invalid_grant', { redirect_uri: 'https://app.example.com/other' }],
    ['a verifier that nobody asked for', 400, 'invalid_grant', { code_verifier: 'x'.repeat(43) }],
    ['ASVS 10.4.4: a grant of another kind', 400, 'unsupported_grant_type', { grant_type: 'password' }],
    ['the app’s own credentials alone', 400, 'unsupported_grant_type', { grant_type: 'client_credentials' }],
    ['another resource', 400, 'invalid_target', { resource: 'https://elsewhere.example.com/' }],
  ])('is refused with %s', async (_what, status, error, fields) => {
    const code = await getCode(service, app, user);
    expectOauthError(await exchange(service, app, { code, ...fields }), status, error);
  });

  test('is refused to another app, which does not use the code up', async () => {
    const other = await registerApp(service, user);
    const code = await getCode(service, app, user);
    expectOauthError(await exchange(service, other, { code }), 400, 'invalid_grant');
    expect((await exchange(service, app, { code })).status).toBe(200);
  });

  test('is refused without its redirect URI', async () => {
    const { client_id, client_secret } = app;
    const code = await getCode(service, app, user);
    const fields = { grant_type: 'authorization_code', client_id, client_secret, code };
    expectOauthError(await postForm(at('token'), fields), 400, 'invalid_request');
  });

  test('is refused after a minute (ASVS 10.4.3)', async () => {
    const code = await getCode(service, app, user);
    const { rows } = await service.pool.query(
      `select max(expires_at - now()) < '61 s' as soon from oauth_records where model = 'AuthorizationCode'`,
    );
    expect(rows[0].soon).toBe(true);
    await service.pool.query(`update oauth_records set expires_at = now() where model = 'AuthorizationCode'`);
    expectOauthError(await exchange(service, app, { code }), 400, 'invalid_grant');
  });

  test('is refused once its user is suspended', async () => {
    const suspended = await service.createUser();
    const code = await getCode(service, app, suspended);
    await service.db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', suspended.id).execute();
    expectOauthError(await exchange(service, app, { code }), 400, 'invalid_grant');
  });
});

describe('PKCE (ASVS 10.4.6)', () => {
  const verifier = randomBytes(32).toString('base64url');
  let forPages: RegisteredApp;
  beforeAll(async () => {
    forPages = await registerApp(service, user, { type: 'public' });
  });
  const codeFor = async () => {
    const code_challenge = await calculatePKCECodeChallenge(verifier);
    return getCode(service, forPages, user, { code_challenge, code_challenge_method: 'S256' });
  };
  const exchangeWith = async (fields: Record<string, string>) =>
    postForm(at('token'), {
      grant_type: 'authorization_code',
      client_id: forPages.client_id,
      redirect_uri: callback,
      code: await codeFor(),
      ...fields,
    });

  test('is how a public app proves itself', async () => {
    expect(forPages.client_secret).toBeNull();
    expect((await exchangeWith({ code_verifier: verifier })).status).toBe(200);
  });

  test.each([
    ['no verifier', {}, 'invalid_grant'],
    ['another one', { code_verifier: randomBytes(32).toString('base64url') }, 'invalid_grant'],
    ['the challenge itself', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
  ])('is refused with %s', async (_what, fields, error) => {
    expectOauthError(await exchangeWith(fields), 400, error);
  });

  test('is no secret, and a public app that sends a secret is refused', async () => {
    const answer = await exchangeWith({ code_verifier: verifier, client_secret: 'x' });
    expectOauthError(answer, 401, 'invalid_client');
  });

  test('lets only a page of the app’s own origin exchange its code', async () => {
    const asks = await fetch(at('token'), {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
    });
    expect(asks.status).toBe(204);
    expect(asks.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    const send = async (origin: string) =>
      postForm(
        at('token'),
        {
          grant_type: 'authorization_code',
          client_id: forPages.client_id,
          redirect_uri: callback,
          code: await codeFor(),
          code_verifier: verifier,
        },
        { origin },
      );
    const own = await send('https://app.example.com');
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, 'https://app.example.com']);
    for (const origin of ['https://evil.example.com', 'null']) {
      const other = await send(origin);
      expectOauthError(other, 400, 'invalid_request');
      expect(other.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});

describe('a refresh token', () => {
  test('gives fewer scopes if fewer are asked for, and never more', async () => {
    const tokens = await getTokens(service, app, user, { scope: 'read:projects write:files' });
    const less = await refresh(service, app, tokens.refresh_token, 'read:projects');
    expect(less.body.scope).toBe('read:projects');
    expect((await get(String(less.body.access_token))).status).toBe(200);
    expect((await get(String(less.body.access_token), '/v1/user')).status).toBe(403);
    const again = await refresh(service, app, String(less.body.refresh_token), 'write:files');
    expect(again.body.scope).toBe('write:files');
    const more = await refresh(service, app, String(again.body.refresh_token), 'read:user');
    expect(more).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
  });

  test('is accepted neither from another app nor as an access token, nor the other way round', async () => {
    const other = await registerApp(service, user);
    const tokens = await getTokens(service, app, user);
    expectOauthError(await refresh(service, other, tokens.refresh_token), 400, 'invalid_grant');
    expectOauthError(await refresh(service, app, tokens.access_token), 400, 'invalid_grant');
    expect((await get(tokens.refresh_token)).status).toBe(401);
    expect((await refresh(service, app, tokens.refresh_token)).status).toBe(200);
  });

  test('ends with its family after a year, however often it was rotated (ASVS 10.4.8)', async () => {
    const tokens = await getTokens(service, app, user);
    const { rows } = await service.pool.query(
      `select round(extract(epoch from max(expires_at - now())) / 86400) as days from oauth_grants`,
    );
    expect(Number(rows[0].days)).toBe(365);
    await service.pool.query(`update oauth_grants set expires_at = now()`);
    expectOauthError(await refresh(service, app, tokens.refresh_token), 400, 'invalid_grant');
    expect((await get(tokens.access_token)).status).toBe(401);
  });
});

describe('an app that asks about tokens or revokes them (ASVS 10.4.10)', () => {
  const send = (endpoint: string, by: RegisteredApp, token: string, hint?: string) =>
    postForm(at(endpoint), {
      client_id: by.client_id,
      client_secret: by.client_secret,
      token,
      ...(hint && { token_type_hint: hint }),
    });

  test('sees tokens of another app as if there were none', async () => {
    const other = await registerApp(service, user);
    const tokens = await getTokens(service, app, user);
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect((await send('introspect', other, token)).body).toEqual({ active: false });
      expect((await send('revoke', other, token)).status).toBe(200);
    }
    expect((await get(tokens.access_token)).status).toBe(200);
  });

  test('gets its own tokens described, whatever hint is given', async () => {
    const tokens = await getTokens(service, app, user, { scope: 'read:projects' });
    for (const hint of [undefined, 'access_token', 'refresh_token', 'nonsense']) {
      const { body } = await send('introspect', app, tokens.access_token, hint);
      expect(body).toMatchObject({
        active: true,
        client_id: app.client_id,
        sub: user.id,
        scope: 'read:projects',
        token_type: 'Bearer',
      });
      expect(Number(body.exp) - Number(body.iat)).toBe(3600);
    }
  });

  test('gets a success for an unknown token, as RFC 7009 demands', async () => {
    for (const token of ['unknown', 'a.b.c', '\0', 'x'.repeat(10_000)]) {
      const answer = await send('revoke', app, token);
      expect(answer.status === 200 || answer.body.error === 'unsupported_token_type', answer.text).toBe(true);
    }
    expectOauthError(await postForm(at('revoke'), { client_id: app.client_id }), 401, 'invalid_client');
  });

  test('ends both tokens at once by revoking either of them', async () => {
    for (const which of ['access_token', 'refresh_token'] as const) {
      const tokens = await getTokens(service, app, user);
      expect((await get(tokens.access_token)).status).toBe(200);
      const answer = await send('revoke', app, tokens[which]);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
      expectRateHeaders(answer.headers);
      expect((await get(tokens.access_token)).status).toBe(401);
      expectOauthError(await refresh(service, app, tokens.refresh_token), 400, 'invalid_grant');
    }
  });
});

describe('the OAuth endpoints for apps', () => {
  test.each(['token', 'revoke', 'introspect'])(
    'include /oauth/%s, which accepts only forms and refuses all else in its own format',
    async (endpoint) => {
      expectOauthError(await call('POST', at(endpoint), { json: { grant_type: 'x' } }), 400, 'invalid_request');
      expectOauthError(await call('POST', at(endpoint)), 400, 'invalid_request');
      const large = await postForm(at(endpoint), { x: 'x'.repeat(60_000) });
      expectOauthError(large, 413, 'invalid_request');
      expectOauthError(await postForm(`${at(endpoint)}?x=%zz`, {}), 400, 'invalid_request');
      expectOauthError(await postForm(at(endpoint), {}, { accept: 'text/html' }), 400, 'invalid_request');
      const twice = await call('POST', at(endpoint), {
        body: `client_id=${app.client_id}&client_id=x&client_secret=${app.client_secret}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expectOauthError(twice, 400, 'invalid_request');
    },
  );

  test('accept no other method, and there are no further addresses', async () => {
    for (const [method, path] of [
      ['GET', '/oauth/token'],
      ['POST', '/oauth/authorize'],
      ['HEAD', '/oauth/authorize'],
      ['PUT', '/oauth/revoke'],
      ['GET', '/oauth'],
      ['GET', '/jwks'],
      ['GET', '/oauth/jwks'],
      ['GET', '/.well-known/openid-configuration'],
      ['GET', '/session/end'],
      ['POST', '/session/end/confirm'],
      ['POST', '/request'],
      ['POST', '/reg'],
      ['GET', '/me'],
      ['GET', '//oauth/authorize'],
      ['POST', '/oauth//token'],
      ['POST', '/OAuth/Token'],
    ] as const) {
      expect((await call(method, `${service.url}${path}`)).status, `${method} ${path}`).toBe(404);
    }
  });

  test('build addresses from the public one, whatever host the request names', async () => {
    const forged = { 'x-forwarded-host': 'evil.example.com', 'x-forwarded-proto': 'https' };
    const browser = pageBrowser(service.url);
    const first = await browser.request(authorizeUrl(service, app), undefined, forged);
    expect(first.status).toBe(303);
    expect(new URL(first.headers.get('location') ?? '', service.url).origin).toBe(service.url);
    expect(first.headers.getSetCookie().join()).not.toMatch(/evil|secure/i);
  });

  test('answer 429 after too many failures of one app from one address, before any check; other apps go on', async () => {
    const guessed = await registerApp(service, user);
    const other = await registerApp(service, user);
    const guess = (secret: string) =>
      postForm(at('token'), { grant_type: 'refresh_token', refresh_token: 'x' }, basic(guessed.client_id, secret));
    let answer = await guess('wrong');
    for (let more = 0; more < 40 && answer.status !== 429; more++) answer = await guess('wrong');
    expectOauthError(answer, 429, 'temporarily_unavailable');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await guess(guessed.client_secret)).status).toBe(429);
    expectOauthError(await refresh(service, other, 'x'), 400, 'invalid_grant');
  });
});

test('while the database is away, every endpoint answers 503 in its own format, and says when to come back', async () => {
  const away = await startTestService();
  try {
    const { running } = away;
    const own = await registerApp(running, await running.createUser());
    await running.database.drop();
    const page = await pageBrowser(running.url).open(authorizeUrl(running, own));
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '2']);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('location')).toBeNull();
    for (const answer of [await exchange(running, own, { code: 'x' }), await refresh(running, own, 'x')]) {
      expectOauthError(answer, 503, 'temporarily_unavailable');
      expect(answer.headers.get('retry-after')).toBe('2');
    }
  } finally {
    await away.close();
  }
});

test('a cookie is marked Secure if the public address is HTTPS', async () => {
  const secure = await startTestService({ settings: { BOTTEGA_PUBLIC_URL: 'https://bottega.example.com' } });
  try {
    const { running } = secure;
    const { port } = running.service.app.server.address() as { port: number };
    const local = { ...running, url: `http://127.0.0.1:${port}` };
    const own = await registerApp(local, await running.createUser());
    const first = await fetch(authorizeUrl(local, own), { redirect: 'manual' });
    expect(first.headers.getSetCookie().length).toBeGreaterThan(1);
    for (const cookie of first.headers.getSetCookie()) expect(cookie).toMatch(/; secure; httponly/i);
  } finally {
    await secure.close();
  }
});

test('two parallel authorizations of one user both lead to tokens', async () => {
  const codes = await Promise.all(
    [1, 2, 3, 4].map(() => authorize(pageBrowser(service.url), user, authorizeUrl(service, app))),
  );
  const answers = await Promise.all(
    codes.map(({ back }) => exchange(service, app, { code: back.searchParams.get('code') ?? '' })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test('every event of these tests has the data that the catalogue says', async () => {
  await expectStoredEventsCatalogued(service.db);
});
