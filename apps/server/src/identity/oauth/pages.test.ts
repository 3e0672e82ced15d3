import { TOTP } from 'otpauth';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signedInBrowser, testPassword } from '../../testing/clients/browser.ts';
import { call } from '../../testing/clients/http-client.ts';
import { type Page, type PageBrowser, pageBrowser } from '../../testing/clients/page-browser.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { authorize } from '../../testing/samples/oauth-flow.ts';
import { authorizeUrl, callback, type RegisteredApp, registerApp } from '../../testing/samples/oauth-tokens.ts';
import { prolongWaits } from '../../testing/service/attempt-waits.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { refusalIn } from './pages.words.ts';

const service = useTestService();
let user: TestUser;
let app: RegisteredApp;
let browser: PageBrowser;
beforeAll(async () => {
  app = await registerApp(service, await service.createUser(), { name: '<b>"Bold" & Sons</b>' });
});
beforeEach(async () => {
  user = await service.createUser();
  browser = pageBrowser(service.url);
});

const url = (params: Record<string, string> = {}) => authorizeUrl(service, app, params);
const signIn = (page: Page, who = user) => browser.press(page, 'sign-in', { email: who.email, password: testPassword });
const toConsent = async (params: Record<string, string> = {}) => signIn(await browser.open(url(params)));
const consents = () =>
  service.db.selectFrom('oauth_consents').select(['app_id', 'scopes']).where('user_id', '=', user.id).execute();

describe('the pages of an authorization', () => {
  test('have no script and a strict policy, and work in browsers that apply the policy to redirects', async () => {
    const first = await browser.open(url());
    const second = await signIn(first);
    for (const page of [first, second]) {
      expect(page.text).not.toMatch(/<script|javascript:| on\w+=|style="|src=/);
      expect(page.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self' https:\/\/app\.example\.com; frame-ancestors 'none'; base-uri 'none'$/,
      );
      expect(page.headers.get('cache-control')).toBe('no-store');
      // With no-referrer, a browser sends forms with `Origin: null`, which is refused.
      expect(page.headers.get('referrer-policy')).toBe('same-origin');
      expect(page.headers.get('x-content-type-options')).toBe('nosniff');
      expect(page.headers.get('x-frame-options')).toBe('DENY');
      expect(page.headers.get('x-request-id')).toMatch(/^req_/);
    }
  });

  test('show text that others chose as plain text, not as HTML', async () => {
    const page = await browser.open(url());
    expect(page.text).toContain('&lt;b&gt;&quot;Bold&quot; &amp; Sons&lt;/b&gt;');
    const email = '"><script>alert(1)</script>';
    const again = await browser.press(page, 'sign-in', { email, password: 'x' });
    expect(again.status).toBe(401);
    expect(again.text).not.toContain('<script>');
    expect(again.text).toContain('&quot;&gt;&lt;script&gt;');
  });

  test('describe each scope in words', async () => {
    const page = await toConsent({ scope: 'read:files write:deployments' });
    expect(page.text).toContain('Read the files and the history of your projects');
    expect(page.text).toContain('Start, cancel and roll back deployments');
    expect(page.text).not.toContain('See your webhooks');
    expect(page.text).toContain(user.email);
  });
});

describe('the language of the pages', () => {
  const german = () => pageBrowser(service.url, { language: 'fr, de-AT;q=0.8, en;q=0.5' });
  const speak = (language: string) =>
    call('PATCH', `${service.url}/v1/user`, { token: user.key, json: { preferences: { language } } });

  test('is the one that the browser prefers while nobody is signed in, in refusals too', async () => {
    browser = german();
    const page = await browser.open(url());
    expect(page.text).toContain('<html lang="de"');
    expect(page.text).toContain('<h1>Anmelden</h1>');
    const refused = await browser.press(page, 'sign-in', { email: user.email, password: 'wrong' });
    expect(refused.text).toContain('Die E-Mail-Adresse oder das Passwort stimmt nicht.');
    expect(refused.text).not.toMatch(/Sign in|Password|Cancel/);
    browser = pageBrowser(service.url, { language: 'fr, en;q=0.5, de;q=0' });
    expect((await browser.open(url())).text).toContain('<h1>Sign in</h1>');
  });

  test('is that of the account after sign-in, whatever the browser prefers', async () => {
    await speak('de-CH');
    const page = await toConsent({ scope: 'read:files' });
    expect(page.text).toContain('<html lang="de"');
    expect(page.text).toContain('erlauben, in deinem Namen zu handeln?');
    expect(page.text).toContain('Die Dateien und den Verlauf deiner Projekte lesen');
    expect(page.text).not.toMatch(/Allow|Cancel|Signed in|Read the/);
    await speak('en');
    expect((await browser.open(url())).text).toContain('<html lang="en"');
  });

  test('is also that of error pages, but details for the makers of an app stay English', async () => {
    browser = german();
    const strange = await browser.open(url({ redirect_uri: 'https://elsewhere.example.com/' }));
    expect(strange.status).toBe(400);
    expect(strange.text).toContain('Diese Anfrage kann nicht beantwortet werden');
    expect(strange.text).toMatch(/<span lang="en">[^<]*redirect_uri/);
    const unknown = await browser.open('/oauth/interaction/nobody');
    expect(unknown.text).toContain('Diese Autorisierung ist abgelaufen');
    await toConsent();
    await speak('en');
    expect((await browser.open(url({ response_mode: 'fragment' }))).text).toContain('This request cannot be processed');
  });

  test.each([
    [
      'The password is correct; the second factor is also required',
      'Das Passwort stimmt; es fehlt noch der zweite Faktor.',
    ],
    ['Too many attempts; try again in 7 seconds', 'Zu viele Versuche; versuche es in 7 Sekunden noch einmal.'],
    ['The account is suspended', 'Das Konto ist gesperrt.'],
  ])('has its own words for a refusal that a person can act on: %s', (english, said) => {
    expect(refusalIn('de', english).html).toBe(said);
    expect(refusalIn('en', english).html).toBe(`${english}.`);
  });
});

describe('a user who is asked for consent', () => {
  test('can cancel on either page, and the app gets nothing', async () => {
    const first = new URL((await browser.press(await browser.open(url()), 'deny')).url);
    expect(first.searchParams.get('error')).toBe('access_denied');
    const second = new URL((await browser.press(await toConsent(), 'deny')).url);
    expect(second.origin + second.pathname).toBe(callback);
    expect(second.searchParams.get('error')).toBe('access_denied');
    expect(second.searchParams.get('state')).toBe('state');
    expect(second.searchParams.has('code')).toBe(false);
    expect(await consents()).toEqual([]);
  });

  test('is asked once, and not again for the same or fewer scopes', async () => {
    const first = await authorize(browser, user, url({ scope: 'read:projects write:files' }));
    expect(first.asked).toEqual(['sign-in', 'consent']);
    for (const scope of ['read:projects write:files', 'read:projects', 'read:files']) {
      const again = await authorize(browser, user, url({ scope }));
      expect(again.asked).toEqual([]);
      expect(again.back.searchParams.get('code')).toBeTruthy();
    }
    expect(await consents()).toEqual([{ app_id: app.id, scopes: ['read:projects', 'write:files'] }]);
  });

  test('is asked again for more scopes, and the scopes that were allowed before stay', async () => {
    await authorize(browser, user, url({ scope: 'read:projects' }));
    const more = await browser.open(url({ scope: 'read:user' }));
    expect(more.text).toContain('value="allow"');
    await browser.press(more, 'allow');
    expect(await consents()).toEqual([{ app_id: app.id, scopes: ['read:projects', 'read:user'] }]);
  });

  test('is asked again if the app wants that, by prompt=consent or prompt=login', async () => {
    await authorize(browser, user, url());
    expect((await authorize(browser, user, url({ prompt: 'consent' }))).asked).toEqual(['consent']);
    expect((await authorize(browser, user, url({ prompt: 'login' }))).asked).toEqual(['sign-in']);
  });

  test('is not asked at all with prompt=none, and the app is told which answer is missing', async () => {
    const errorOf = async (params: Record<string, string>) =>
      new URL((await browser.open(url({ prompt: 'none', ...params }))).url).searchParams.get('error');
    expect(await errorOf({})).toBe('login_required');
    await authorize(browser, user, url());
    expect(await errorOf({})).toBeNull();
    expect(await errorOf({ scope: 'write:user' })).toBe('consent_required');
  });

  test('is asked each time by an app that anyone could imitate', async () => {
    app = await registerApp(service, user, { type: 'public', redirect_uris: ['com.example.phone:/callback'] });
    const pkce = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
    const native = url({ redirect_uri: 'com.example.phone:/callback', ...pkce });
    expect((await authorize(browser, user, native)).asked).toEqual(['sign-in', 'consent']);
    const again = await browser.open(native);
    expect(again.headers.get('content-security-policy')).toContain("form-action 'self' com.example.phone:;");
    expect((await authorize(browser, user, native)).asked).toEqual(['consent']);
    app = await registerApp(service, user);
  });
});

describe('the signed-in user', () => {
  test('is that of the service’s own session, without a second sign-in', async () => {
    const { cookie } = await signedInBrowser(service.url, user);
    const [name = '', value = ''] = cookie.split('=');
    browser.jar.set(`${name} /`, { name, value, path: '/' });
    expect((await authorize(browser, user, url())).asked).toEqual(['consent']);
  });

  test('is signed in to the rest of the service too', async () => {
    await toConsent();
    const session = [...browser.jar.values()].find(({ name }) => name === 'bottega_session');
    const answer = await call('GET', `${service.url}/v1/user`, {
      headers: { cookie: `bottega_session=${session?.value}` },
    });
    expect(answer.body.id).toBe(user.id);
  });

  test('can be changed on the consent page', async () => {
    const other = await service.createUser();
    const page = await browser.press(await toConsent(), 'switch');
    expect(page.text).toContain('<h1>Sign in</h1>');
    const theirs = await signIn(page, other);
    expect(theirs.text).toContain(other.email);
    await browser.press(theirs, 'allow');
    expect(await consents()).toEqual([]);
    user = other;
    expect(await consents()).toHaveLength(1);
  });

  test('must be the same when the answer comes, so that nobody allows for somebody else', async () => {
    const page = await toConsent();
    const other = await service.createUser();
    const { cookie } = await signedInBrowser(service.url, other);
    const [name = '', value = ''] = cookie.split('=');
    browser.jar.set(`${name} /`, { name, value, path: '/' });
    const anew = await browser.press(page, 'allow');
    expect(anew.text).toContain(other.email);
    expect(await consents()).toEqual([]);
  });

  test('has to sign in again once the session has ended', async () => {
    const page = await toConsent();
    const session = [...browser.jar.values()].find(({ name }) => name === 'bottega_session');
    const headers = { cookie: `bottega_session=${session?.value}` };
    await service.db.deleteFrom('sign_ins').where('user_id', '=', user.id).execute();
    await service.pool.query("select pg_notify('bottega_credentials', '')");
    await waitFor('it is known to have ended', async () => {
      return (await call('GET', `${service.url}/v1/user`, { headers })).status === 401;
    });
    const anew = await browser.press(page, 'allow');
    expect(anew.text).toContain('<h1>Sign in</h1>');
    expect(await consents()).toEqual([]);
  });

  test('has to give the second factor too, if there is one', async () => {
    const account = await signedInBrowser(service.url, user);
    const begun = await account.ask<{ secret: string }>('POST', '/auth/second-factor', {
      json: { password: testPassword },
    });
    const codeAt = (step: number) =>
      new TOTP({ secret: begun.body.secret }).generate({ timestamp: Date.now() + step * 30_000 });
    await account.ask('POST', '/auth/second-factor/confirm', { json: { code: codeAt(-1) } });

    const first = await browser.open(url());
    expect(first.text).not.toContain('name="code"');
    const asked = await signIn(first);
    expect(asked.status).toBe(401);
    expect(asked.text).toContain('name="code"');
    const fields = { email: user.email, password: testPassword };
    const wrong = await browser.press(asked, 'sign-in', { ...fields, code: '000000' });
    expect([wrong.status, wrong.text.includes('name="code"')]).toEqual([401, true]);
    const consent = await browser.press(wrong, 'sign-in', { ...fields, code: codeAt(0) });
    expect(consent.text).toContain('value="allow"');
  });

  test('cannot sign in while the account is suspended', async () => {
    await service.db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', user.id).execute();
    const page = await signIn(await browser.open(url()));
    expect(page.status).toBe(403);
    expect(page.text).toContain('suspended');
  });

  test('has to wait after too many wrong passwords', async () => {
    let page = await browser.open(url());
    const guess = async () => browser.press(page, 'sign-in', { email: user.email, password: 'wrong' });
    for (let tries = 0; tries < 5; tries++) page = await guess();
    await prolongWaits(service);
    page = await guess();
    expect(page.status).toBe(429);
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(page.text).toContain('Too many attempts');
  });
});

describe('a form that another site sends (ASVS 3.5.1)', () => {
  const send = (page: Page, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    browser.request(page.url, new URLSearchParams(fields), headers);

  test('is refused by its origin, on either page', async () => {
    const first = await browser.open(url());
    const fields = { do: 'sign-in', email: user.email, password: testPassword };
    for (const headers of [{ origin: 'https://evil.example.com' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect((await send(first, fields, headers)).status).toBe(403);
    }
    const second = await signIn(first);
    expect((await send(second, { do: 'allow' }, { origin: 'null' })).status).toBe(403);
    expect((await send(second, { do: 'deny' }, { 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect(await consents()).toEqual([]);
  });

  test('is refused without the session’s token, or with that of another session', async () => {
    const page = await toConsent();
    const other = await signedInBrowser(service.url, await service.createUser());
    for (const csrf_token of ['', 'x', other.session.csrf_token]) {
      const answer = await send(page, { do: 'allow', csrf_token });
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toBe(new URL(page.url).pathname);
    }
    expect(await consents()).toEqual([]);
  });
});

describe('an authorization in progress', () => {
  test('belongs to one browser, and its address opens nothing in another', async () => {
    const page = await toConsent();
    const stranger = pageBrowser(service.url);
    const seen = await stranger.open(page.url);
    expect(seen.status).toBe(400);
    expect(seen.text).toContain('started in another browser');
    // Another authorization of their own does not open it either.
    const own = await stranger.open(url());
    const cookie = [...stranger.jar.values()].map(({ name, value }) => `${name}=${value}`).join('; ');
    expect(new URL(own.url).pathname).not.toBe(new URL(page.url).pathname);
    expect((await stranger.request(page.url, undefined, { cookie })).status).toBe(400);
    expect((await stranger.request(page.url, new URLSearchParams({ do: 'allow' }), { cookie })).status).toBe(400);
  });

  test('ends when its app is deleted', async () => {
    const former = app;
    app = await registerApp(service, user);
    const [one, other] = [await toConsent(), await browser.open(url())];
    await call('DELETE', `${service.url}/v1/user/oauth-apps/${app.id}`, { token: user.key });
    const allowed = await browser.press(one, 'allow');
    expect([allowed.status, allowed.headers.get('location')]).toEqual([409, null]);
    expect(allowed.text).toContain('was deleted');
    expect((await browser.press(other, 'deny')).status).toBe(400);
    app = former;
  });

  test('is over once it has been answered', async () => {
    const page = await toConsent();
    await browser.press(page, 'allow');
    const again = await browser.open(page.url);
    expect(again.status).toBe(400);
  });

  test('may run beside another one in a second tab, and both are answered', async () => {
    const [one, other] = [await toConsent({ state: 'one' }), await browser.open(url({ state: 'two' }))];
    for (const [page, state] of [
      [other, 'two'],
      [one, 'one'],
    ] as const) {
      const back = new URL((await browser.press(page, 'allow')).url);
      expect(back.searchParams.get('state')).toBe(state);
      expect(back.searchParams.get('code')).toBeTruthy();
    }
  });

  test('stores neither its own id nor that of the session in the database', async () => {
    const page = await toConsent();
    const { rows } = await service.pool.query('select r::text as text from oauth_records r');
    expect(rows.length).toBeGreaterThan(0);
    const secrets = [...browser.jar.values()].map(({ value }) => value).filter((value) => value.length > 15);
    expect(secrets.length).toBeGreaterThan(2);
    for (const secret of [...secrets, new URL(page.url).pathname.split('/').pop() ?? '']) {
      expect(rows.filter(({ text }) => text.includes(secret))).toEqual([]);
    }
  });

  test.each([
    ['an unknown one', '/oauth/interaction/unknown'],
    ['an unknown one to resume', '/oauth/authorize/unknown'],
  ])('leads to an error page if it is %s', async (_what, path) => {
    const page = await browser.open(`${service.url}${path}`);
    expect(page.status).toBe(400);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test('leads to an error page of the same form if a body is too large', async () => {
    const page = await toConsent();
    const large = await browser.request(page.url, new URLSearchParams({ do: 'x'.repeat(60_000) }));
    expect(large.status).toBe(413);
    expect(large.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });
});
