import { beforeAll, describe, expect, test } from 'vitest';
import { testPassword } from '../../testing/clients/browser.ts';
import { expectRateHeaders } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { type PageBrowser, pageBrowser } from '../../testing/clients/page-browser.ts';
import {
  authorizeUrl,
  callback,
  exchange,
  type RegisteredApp,
  registerApp,
} from '../../testing/samples/oauth-tokens.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const lines: string[] = [];
const service = useTestService({ logTo: { write: (line) => lines.push(line) } });
let owner: TestUser;
let user: TestUser;
let app: RegisteredApp;
let browser: PageBrowser;
beforeAll(async () => {
  owner = await service.createUser();
  app = await registerApp(service, owner);
});

describe('the documented flow', () => {
  test('leads from the app through sign-in and consent back to the app with a code, and then to tokens', async () => {
    user = await service.createUser();
    browser = pageBrowser(service.url);
    const first = await browser.open(
      authorizeUrl(service, app, { scope: 'read:projects write:projects', state: 'abc 1' }),
    );
    expect(first.status).toBe(200);
    expect(first.text).toContain('<h1>Sign in</h1>');
    expect(first.text).toContain('Drawing Board');
    expectRateHeaders(first.headers);

    const wrong = await browser.press(first, 'sign-in', { email: user.email, password: 'wrong' });
    expect(wrong.status).toBe(401);
    expect(wrong.text).toContain('The e-mail address or the password is not correct');

    const consent = await browser.press(wrong, 'sign-in', { email: user.email, password: testPassword });
    expect(consent.status).toBe(200);
    expect(consent.text).toContain('Allow <strong>Drawing Board</strong> to act for you?');
    expect(consent.text).toContain('Create, change and delete your projects');
    expect(consent.text).toContain('app.example.com');

    const back = new URL((await browser.press(consent, 'allow')).url);
    expect(back.origin + back.pathname).toBe(callback);
    expect(back.searchParams.get('state')).toBe('abc 1');
    expect(back.searchParams.get('iss')).toBe(service.url);
    const answer = await exchange(service, app, { code: back.searchParams.get('code') ?? '' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'read:projects write:projects',
    });
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expectRateHeaders(answer.headers);
    const made = await call('POST', `${service.url}/v1/projects`, {
      token: String(answer.body.access_token),
      json: { name: 'By the app' },
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ owner: { id: user.id } });

    const { access_token, refresh_token } = answer.body;
    const cookies = [...browser.jar.values()].map(({ value }) => value);
    const secrets = [access_token, refresh_token, back.searchParams.get('code'), app.client_secret, testPassword];
    const log = lines.join('');
    expect(log).toContain('/oauth/interaction/…');
    expect([...secrets, ...cookies].filter((secret) => log.includes(String(secret)))).toEqual([]);
  });
});
