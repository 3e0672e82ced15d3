import { beforeEach, describe, expect, test } from 'vitest';
import { testPassword } from '../../testing/clients/browser.ts';
import { call } from '../../testing/clients/http-client.ts';
import { type Page, type PageBrowser, pageBrowser } from '../../testing/clients/page-browser.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ role: 'api' });
const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
let user: TestUser;
let browser: PageBrowser;
beforeEach(async () => {
  user = await service.createUser();
  browser = pageBrowser(service.url);
});

type Asked = {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
};
type Told = { error: string; access_token: string; refresh_token: string; scope: string };

const post = <Body>(path: string, form: Record<string, string>, headers = {}) =>
  call<Body>('POST', `${service.url}${path}`, {
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

async function ask(scope = 'read:files write:projects'): Promise<Asked> {
  const answer = await post<Asked>('/oauth/device', { client_id: 'btg', scope }, { 'user-agent': 'btg/0.2 <b>' });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const poll = ({ device_code }: Asked) =>
  post<Told>('/oauth/token', { client_id: 'btg', grant_type: grantType, device_code });
/** Acts as if the device had waited. */
const patience = () => service.pool.query("update oauth_records set polled_at = now() - interval '5 seconds'");
async function pollLater(asked: Asked) {
  await patience();
  return poll(asked);
}

async function signIn(at = '/device', who = user, by = browser): Promise<Page> {
  return by.press(await by.open(at), 'sign-in', { email: who.email, password: testPassword });
}
const typeIn = async (code: string, page?: Page) =>
  browser.press(page ?? (await signIn()), 'continue', { user_code: code });

describe('a device', () => {
  test('gets tokens once its user has typed in its code, seen who asks for what from where, and allowed it', async () => {
    const asked = await ask();
    expect(asked).toMatchObject({ verification_uri: `${service.url}/device`, expires_in: 600 });
    expect(asked.user_code).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
    expect((await poll(asked)).body.error).toBe('authorization_pending');
    const consent = await typeIn(asked.user_code.toLowerCase().replace('-', ' '));
    for (const shown of [
      'Bottega CLI (btg)',
      asked.user_code,
      '127.0.0.1',
      'btg/0.2 &lt;b&gt;',
      'read:files',
      'write:projects',
    ]) {
      expect(consent.text).toContain(shown);
    }
    expect((await browser.press(consent, 'allow')).text).toContain('The device is connected');
    const { status, body } = await pollLater(asked);
    expect([status, body.scope]).toEqual([200, 'write:projects read:files']);
    expect((await call('GET', `${service.url}/v1/projects`, { token: body.access_token })).status).toBe(200);
    expect((await call('GET', `${service.url}/v1/webhooks`, { token: body.access_token })).status).toBe(403);
    const renewed = await post<Told>('/oauth/token', {
      client_id: 'btg',
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
    });
    expect(renewed.status).toBe(200);
    const apps = await call<{ data: unknown[] }>('GET', `${service.url}/v1/user/authorized-apps`, { token: user.key });
    expect(apps.body.data).toEqual([
      expect.objectContaining({ app: { id: 'btg', name: 'Bottega CLI (btg)' }, last_used_at: expect.any(String) }),
    ]);
    const audit = await call<{ data: { action: string; details: object }[] }>(
      'GET',
      `${service.url}/v1/user/audit-log`,
      { token: user.key },
    );
    expect(audit.body.data.find(({ action }) => action === 'oauth_grant.created')?.details).toMatchObject({
      device_address: '127.0.0.1',
    });
    await call('DELETE', `${service.url}/v1/user/authorized-apps/btg`, { token: user.key });
    expect((await call('GET', `${service.url}/v1/projects`, { token: renewed.body.access_token })).status).toBe(401);
  });

  test('is told to slow down if it asks too soon, and so are all but one of several requests at once', async () => {
    const asked = await ask();
    const answers = await Promise.all([poll(asked), poll(asked), poll(asked)]);
    expect(answers.map(({ body }) => body.error).sort()).toEqual(['authorization_pending', 'slow_down', 'slow_down']);
    await browser.press(await typeIn(asked.user_code), 'allow');
    await patience();
    const [one, two] = await Promise.all([poll(asked), poll(asked)]);
    expect([one.status, two.status].sort()).toEqual([200, 400]);
    const { access_token: token } = one.status === 200 ? one.body : two.body;
    expect((await call('GET', `${service.url}/v1/projects`, { token })).status).toBe(200);
  });

  test('is told that it was refused, once and for all', async () => {
    const asked = await ask();
    const consent = await typeIn(asked.user_code);
    expect((await browser.press(consent, 'deny')).text).toContain('was not connected');
    expect((await browser.press(consent, 'allow')).status).toBe(404);
    expect((await pollLater(asked)).body.error).toBe('access_denied');
  });

  test('is told that its code has expired, which cannot be allowed any more', async () => {
    const asked = await ask();
    const consent = await typeIn(asked.user_code);
    await service.pool.query(
      `update oauth_records set expires_at = now() - interval '1 second', payload = payload || '{"exp": 1}' where model = 'DeviceCode'`,
    );
    expect((await browser.press(consent, 'allow')).status).toBe(404);
    expect((await pollLater(asked)).body.error).toBe('expired_token');
  });

  test('is allowed by only one of two users who decide at once, and gets tokens once', async () => {
    const asked = await ask();
    const other = await service.createUser();
    const theirs = pageBrowser(service.url);
    const [mine, yours] = [
      await typeIn(asked.user_code),
      await theirs.press(await signIn('/device', other, theirs), 'continue', { user_code: asked.user_code }),
    ];
    const decided = await Promise.all([
      browser.press(mine, 'allow'),
      browser.press(mine, 'allow'),
      theirs.press(yours, 'allow'),
    ]);
    expect(decided.filter(({ status }) => status === 200).length).toBe(1);
    const { body } = await pollLater(asked);
    expect(body.access_token).toBeDefined();
    expect((await pollLater(asked)).body.error).toBe('invalid_grant');
    const grants = await service.pool.query("select from oauth_grants where app_id = 'btg' and user_id = any($1)", [
      [user.id, other.id],
    ]);
    expect(grants.rowCount).toBeLessThanOrEqual(1);
  });

  test.each([
    [{ client_id: 'btg', scope: 'read:everything' }, 'invalid_scope'],
    [{ client_id: 'btg' }, 'invalid_scope'],
    [{ client_id: 'nobody', scope: 'read:files' }, 'invalid_client'],
    [{ client_id: 'btg', scope: 'read:files', login_hint: 'ada\0' }, 'invalid_request'],
  ])('that asks with %j gets %s', async (form, error) => {
    expect((await post<Told>('/oauth/device', form as Record<string, string>)).body.error).toBe(error);
  });

  test('cannot use the authorization for browsers', async () => {
    const query = 'client_id=btg&response_type=code&scope=read:files&redirect_uri=https://evil.example/';
    expect((await browser.open(`/oauth/authorize?${query}`)).status).toBe(400);
  });
});

describe('the page for devices', () => {
  test('never decides by a link alone, and shows the code of a link without looking it up', async () => {
    const asked = await ask();
    const page = await signIn(
      new URL(asked.verification_uri_complete).pathname + new URL(asked.verification_uri_complete).search,
    );
    expect(page.text).toContain(`value="${asked.user_code}"`);
    expect(page.text).not.toContain('value="allow"');
    expect((await poll(asked)).body.error).toBe('authorization_pending');
  });

  test('accepts nothing from another site, nor without the token of its session', async () => {
    const asked = await ask();
    await typeIn(asked.user_code);
    const form = new URLSearchParams({ do: 'allow', user_code: asked.user_code });
    expect((await browser.request(`${service.url}/device`, form, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await browser.request(`${service.url}/device`, form)).status).toBe(303);
    expect((await poll(asked)).body.error).toBe('authorization_pending');
  });

  test('limits the guesses of an account', async () => {
    let page = await signIn();
    const statuses: number[] = [];
    for (let guess = 0; guess < 21; guess++) {
      const answer = await browser.press(page, 'continue', { user_code: 'BCDF-GHJK' });
      statuses.push(answer.status);
      if (answer.status === 404) page = answer;
    }
    expect(statuses).toEqual([...Array(20).fill(404), 429]);
  });

  test('is available in German too', async () => {
    browser = pageBrowser(service.url, { language: 'de' });
    expect((await browser.open('/device')).text).toContain('Anmelden');
  });
});
