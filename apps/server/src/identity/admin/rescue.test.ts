import type { AdminUser, CreatedAccount, ResetLink } from '@bottega/contract';
import { TOTP } from 'otpauth';
import { beforeAll, describe, expect, test } from 'vitest';
import { signedInBrowser, signIn, testPassword } from '../../testing/clients/browser.ts';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { expectStoredEventsCatalogued } from '../../testing/contract/catalogue-validator.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
const newPassword = 'another phrase of seven words';

let admin: TestUser;
beforeAll(async () => {
  admin = await service.createUser({ isAdmin: true, name: 'Helper' });
});

const byAdmin = <Body>(path: string, json: unknown = { password: testPassword }) =>
  call<Body>('POST', `${service.url}/v1/admin/users${path}`, { token: admin.key, json });
const linkFor = ({ id }: { id: string }) => byAdmin<ResetLink>(`/${id}/reset-link`);
const readAccount = async ({ id }: { id: string }) =>
  (await call<AdminUser>('GET', `${service.url}/v1/admin/users/${id}`, { token: admin.key })).body;
const useLink = (link: ResetLink, password = newPassword) =>
  call('POST', `${service.url}/v1/auth/password/reset`, { json: { token: link.url.split('#token=')[1], password } });
const logOf = async ({ id }: { id: string }) => {
  const url = `${service.url}/v1/admin/audit-log?account_id=${id}`;
  return (await call<{ data: { action: string; actor_id: string | null }[] }>('GET', url, { token: admin.key })).body
    .data;
};

async function withFactor(user: TestUser): Promise<TOTP> {
  const browser = await signedInBrowser(service.url, user);
  const json = { password: testPassword };
  const { body } = await browser.ask<{ secret: string }>('POST', '/auth/second-factor', { json });
  const totp = new TOTP({ secret: body.secret });
  // A code of the previous step, so that the test can use the present one.
  const code = totp.generate({ timestamp: Date.now() - 30_000 });
  expect((await browser.ask('POST', '/auth/second-factor/confirm', { json: { code } })).status).toBe(200);
  return totp;
}

describe('a link that an administrator hands over', () => {
  test('sets a new password once, ends every session, and is reported in the log and by an alert', async () => {
    const user = await service.createUser();
    const browser = await signedInBrowser(service.url, user);
    const { status, body: link } = await linkFor(user);
    expect(status).toBe(201);
    expect(link.url).toMatch(new RegExp(`^${service.url}/reset-password#token=[\\w-]{43}$`));
    const hours = (Date.parse(link.expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeCloseTo(4, 1);
    expect((await browser.ask('GET', '/user')).status).toBe(200);
    expect((await useLink(link)).status).toBe(204);
    expect((await browser.ask('GET', '/user')).status).toBe(401);
    expect((await signIn(service.url, { email: user.email, password: newPassword })).status).toBe(200);
    expectError(await useLink(link), { status: 422, code: 'VALIDATION_ERROR' });
    const log = await logOf(user);
    expect(log).toContainEqual(expect.objectContaining({ action: 'user.reset_link_created', actor_id: admin.id }));
    expect(log.map(({ action }) => action)).toContain('security.alert');
    await expectStoredEventsCatalogued(service.db);
  });

  test('replaces the one before, and ends when the password is changed in any other way', async () => {
    const user = await service.createUser();
    const [first, second] = [(await linkFor(user)).body, (await linkFor(user)).body];
    expect((await useLink(first)).status).toBe(422);
    const browser = await signedInBrowser(service.url, user);
    const json = { current_password: testPassword, new_password: newPassword };
    expect((await browser.ask('POST', '/auth/password', { json })).status).toBe(200);
    expect((await useLink(second)).status).toBe(422);
  });

  test('is given again if the request is repeated with its Idempotency-Key, although its code is used up', async () => {
    const user = await service.createUser();
    const helper = await service.createUser({ isAdmin: true });
    const json = { password: testPassword, code: (await withFactor(helper)).generate() };
    const sent = { token: helper.key, json, headers: { 'idempotency-key': 'link' } };
    const ask = () => call<ResetLink>('POST', `${service.url}/v1/admin/users/${user.id}/reset-link`, sent);
    const [first, again] = [await ask(), await ask()];
    expect([first.status, again.status], again.text).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect((await useLink(again.body)).status).toBe(204);
  });

  test('does not confirm the address, since using the link proves nothing about it', async () => {
    const user = await service.createUser();
    const unproven = { email_verified_at: null };
    await service.db.updateTable('users').set(unproven).where('id', '=', user.id).execute();
    expect((await useLink((await linkFor(user)).body)).status).toBe(204);
    expect(await readAccount(user)).toMatchObject({ email_verified: false });
  });

  test('is refused for a suspended account, and does not work if the account is suspended meanwhile', async () => {
    const user = await service.createUser();
    const { body: link } = await linkFor(user);
    await service.db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', user.id).execute();
    expectError(await linkFor(user), { status: 409, code: 'CONFLICT' });
    expect((await useLink(link)).status).toBe(204);
    expect((await signIn(service.url, { email: user.email, password: newPassword })).status).toBe(403);
  });

  test('needs the password of the administrator: a key alone is not enough, nor is another user’s password', async () => {
    const user = await service.createUser();
    const wrong = await byAdmin(`/${user.id}/reset-link`, { password: 'not the password' });
    expectError(wrong, { status: 403, code: 'AUTHORIZATION_ERROR' });
    for (const path of ['reset-link', 'second-factor/remove']) {
      const url = `${service.url}/v1/admin/users/${admin.id}/${path}`;
      const refused = await call('POST', url, { token: user.key, json: { password: testPassword } });
      expectError(refused, { status: 403, code: 'AUTHORIZATION_ERROR' });
    }
  });
});

describe('a second factor', () => {
  test('can be removed by an administrator, who never learns the password; the log and an alert report it', async () => {
    const user = await service.createUser();
    await withFactor(user);
    expect(await readAccount(user)).toMatchObject({ second_factor: true });
    expect((await signIn(service.url, { email: user.email })).status).toBe(401);
    expect((await byAdmin(`/${user.id}/second-factor/remove`)).status).toBe(204);
    expect(await readAccount(user)).toMatchObject({ second_factor: false });
    expect((await signIn(service.url, { email: user.email })).status).toBe(200);
    const log = await logOf(user);
    expect(log).toContainEqual(expect.objectContaining({ action: 'user.second_factor_removed', actor_id: admin.id }));
    expect(log.map(({ action }) => action)).toContain('security.alert');
    expectError(await byAdmin(`/${user.id}/second-factor/remove`), { status: 409, code: 'CONFLICT' });
  });

  test('of a suspended account can be removed, and the account stays suspended', async () => {
    const user = await service.createUser();
    await withFactor(user);
    await service.db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', user.id).execute();
    expect((await byAdmin(`/${user.id}/second-factor/remove`)).status).toBe(204);
    expect(await readAccount(user)).toMatchObject({ suspended: true, second_factor: false });
  });
});

describe('an account that an administrator makes', () => {
  test('has no password until its link has set one, and its address counts as confirmed', async () => {
    const json = { email: 'New.Person@Example.com', name: ' New Person ', plan: 'pro' };
    const { status, body } = await byAdmin<CreatedAccount>('', json);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      email: 'new.person@example.com',
      name: 'New Person',
      subscription: { plan: 'pro' },
      is_admin: false,
      email_verified: true,
      projects_count: 0,
      stored_bytes: 0,
    });
    expect((await signIn(service.url, { email: body.email, password: '' })).status).toBe(422);
    expect((await signIn(service.url, { email: body.email })).status).toBe(401);
    expect((await useLink(body.reset_link)).status).toBe(204);
    expect((await signIn(service.url, { email: body.email, password: newPassword })).status).toBe(200);
    expectError(await byAdmin('', json), { status: 409, code: 'CONFLICT' });
  });

  test('is made only once, however many requests ask for it at once', async () => {
    const json = { email: 'twice@example.com', name: 'Twice' };
    const answers = await Promise.all([1, 2, 3].map(() => byAdmin('', json)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });
});

test('administrators see what each account stores, including its trash', async () => {
  const user = await service.createUser();
  const [kept, deleted] = [await createProject(service, user), await createProject(service, user)];
  for (const [{ id }, bytes] of [
    [kept, 1000],
    [deleted, 500],
  ] as const) {
    await service.db.updateTable('project_stats').set({ stored_bytes: bytes }).where('project_id', '=', id).execute();
  }
  await call('DELETE', `${service.url}/v1/projects/${deleted.id}`, { token: user.key });
  expect(await readAccount(user)).toMatchObject({ projects_count: 1, stored_bytes: 1500 });
});
