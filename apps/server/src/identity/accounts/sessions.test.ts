import type { CurrentSession } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { signedInBrowser, signIn } from '../../testing/clients/browser.ts';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { expectStoredEventsCatalogued } from '../../testing/contract/catalogue-validator.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
const unauthenticated = { status: 401, code: 'AUTHENTICATION_ERROR' } as const;

const rowsOf = (user: TestUser) =>
  service.db.selectFrom('sign_ins').selectAll().where('user_id', '=', user.id).execute();
const eventsOf = (user: TestUser, type: string) =>
  service.db
    .selectFrom('events')
    .selectAll()
    .where('account_id', '=', user.id)
    .where('type', '=', type)
    .orderBy('id')
    .execute();

describe('signing in', () => {
  test('sets an HttpOnly cookie that every route takes as a credential (ASVS 3.3.4, 7.2.1)', async () => {
    const user = await service.createUser();
    const answer = await signIn(service.url, { email: ` ${user.email.toUpperCase()} ` });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      id: expect.stringMatching(/^sgn_/),
      user: { id: user.id, email: user.email },
      is_admin: false,
      second_factor: false,
      csrf_token: expect.stringMatching(/^[\w-]{43}$/),
    });
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^bottega_session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    const me = await call('GET', `${service.url}/v1/user`, { headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect(me).toMatchObject({ status: 200, body: { id: user.id } });
  });

  test('stores only the digest of the cookie, and who came from where (ASVS 7.2.3)', async () => {
    const user = await service.createUser();
    const browser = await signedInBrowser(service.url, user);
    const [row] = await rowsOf(user);
    expect(row).toMatchObject({ id: browser.session.id, address: '127.0.0.1', user_agent: 'node' });
    expect(JSON.stringify(row)).not.toContain(browser.cookie.split('=')[1]);
    expect(row?.digest).toHaveLength(32);
  });

  test('makes a new session each time, whatever cookie came along (ASVS 7.2.4)', async () => {
    const user = await service.createUser();
    const first = await signedInBrowser(service.url, user);
    const again = await signIn(service.url, { email: user.email }, { cookie: first.cookie });
    expect(again.body.id).not.toBe(first.session.id);
    const planted = `bottega_session=${'A'.repeat(43)}`;
    const answer = await signIn(service.url, { email: user.email }, { cookie: planted });
    expect(answer.headers.get('set-cookie')).not.toContain(planted);
  });

  test('writes user.login and an audit entry', async () => {
    const user = await service.createUser();
    const answer = await signIn(service.url, { email: user.email });
    const [event] = await eventsOf(user, 'user.login');
    expect(event).toMatchObject({
      actor_id: user.id,
      request_id: answer.headers.get('x-request-id'),
      data: { user_id: user.id, email: user.email, session_id: answer.body.id, ip_address: '127.0.0.1' },
    });
  });

  test('gives the same answer for a wrong password as for an unknown account', async () => {
    const user = await service.createUser();
    const wrong = await signIn(service.url, { email: user.email, password: 'wrong horse' });
    const unknown = await signIn(service.url, { email: 'nobody@example.com' });
    for (const answer of [wrong, unknown]) {
      expectError(answer, unauthenticated);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    const message = ({ body }: typeof wrong) => (body as unknown as { error: { message: string } }).error.message;
    expect(message(wrong)).toBe(message(unknown));
    expect(await rowsOf(user)).toEqual([]);
  });
});

describe('the current session', () => {
  test('shows who is signed in, and the same CSRF token again', async () => {
    const browser = await signedInBrowser(service.url, await service.createUser());
    const answer = await browser.ask<CurrentSession>('GET', '/auth/session');
    expect(answer).toMatchObject({ status: 200, body: { ...browser.session, last_used_at: expect.any(String) } });
  });

  test('is not available to an API key, nor without a credential', async () => {
    const { key } = await service.createUser();
    expectError(await call('GET', `${service.url}/v1/auth/session`, { token: key }), {
      status: 403,
      code: 'AUTHORIZATION_ERROR',
    });
    expectError(await call('GET', `${service.url}/v1/auth/session`), unauthenticated);
  });
});

describe('signing out', () => {
  test('ends the session at once, clears the cookie and writes user.logout (ASVS 7.4.1)', async () => {
    const user = await service.createUser();
    const browser = await signedInBrowser(service.url, user);
    const answer = await browser.ask('POST', '/auth/sign-out');
    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toMatch(/^bottega_session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax$/);
    expectError(await browser.ask('GET', '/user'), unauthenticated);
    expect(await rowsOf(user)).toEqual([]);
    expect(await eventsOf(user, 'user.logout')).toMatchObject([{ data: { session_id: browser.session.id } }]);
  });
});

describe('the list of sessions', () => {
  test('shows all sessions of the user, and which one is asking (ASVS 7.5.2)', async () => {
    const user = await service.createUser();
    const first = await signedInBrowser(service.url, user);
    const second = await signedInBrowser(service.url, user);
    await signedInBrowser(service.url, await service.createUser());
    const { body } = await second.ask<{ data: { id: string; current: boolean }[] }>('GET', '/auth/sessions');
    const shown = body.data.map(({ id, current }) => ({ id, current }));
    expect(shown).toHaveLength(2);
    expect(shown).toContainEqual({ id: first.session.id, current: false });
    expect(shown).toContainEqual({ id: second.session.id, current: true });
  });

  test('can end a given session, or all others', async () => {
    const user = await service.createUser();
    const [one, two, three] = [
      await signedInBrowser(service.url, user),
      await signedInBrowser(service.url, user),
      await signedInBrowser(service.url, user),
    ];
    expect((await one.ask('DELETE', `/auth/sessions/${two.session.id}`)).status).toBe(204);
    expectError(await two.ask('GET', '/user'), unauthenticated);
    expect((await three.ask('GET', '/user')).status).toBe(200);
    expect((await one.ask('DELETE', '/auth/sessions')).status).toBe(204);
    expectError(await three.ask('GET', '/user'), unauthenticated);
    expect((await one.ask('GET', '/user')).status).toBe(200);
  });

  test('cannot end the sessions of others', async () => {
    const [mine, other] = [
      await signedInBrowser(service.url, await service.createUser()),
      await signedInBrowser(service.url, await service.createUser()),
    ];
    for (const id of [other.session.id, 'sgn_00000000000000000000000000', 'x', '%00']) {
      expectError(await mine.ask('DELETE', `/auth/sessions/${id}`), { status: 404, code: 'NOT_FOUND' });
    }
    expect((await other.ask('GET', '/user')).status).toBe(200);
  });
});

describe('a session ends by itself', () => {
  test.each([
    ['when its time is over (ASVS 7.3.2)', { expires_at: new Date(Date.now() - 1000) }],
    ['when it was not used for long (ASVS 7.3.1)', { last_used_at: new Date(Date.now() - 169 * 3_600_000) }],
  ])('%s', async (_when, change) => {
    const user = await service.createUser();
    const browser = await signedInBrowser(service.url, user);
    await service.db.updateTable('sign_ins').set(change).where('user_id', '=', user.id).execute();
    expectError(await browser.ask('GET', '/user'), unauthenticated);
    const { body } = await (await signedInBrowser(service.url, user)).ask<{ data: unknown[] }>('GET', '/auth/sessions');
    expect(body.data).toHaveLength(1);
  });
});

test('every event of these tests has the data that the catalogue says', async () => {
  await expectStoredEventsCatalogued(service.db);
});
