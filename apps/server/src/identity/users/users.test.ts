import type { User } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { expectStoredEventsCatalogued } from '../../testing/contract/catalogue-validator.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();

const read = async (user: TestUser) => (await call<User>('GET', `${service.url}/v1/user`, { token: user.key })).body;
const patch = (user: TestUser, json: unknown) =>
  call<User>('PATCH', `${service.url}/v1/user`, { token: user.key, json });

const updates = (user: TestUser) =>
  service.db
    .selectFrom('events')
    .selectAll()
    .where('account_id', '=', user.id)
    .where('type', '=', 'user.updated')
    .execute();

describe('GET', () => {
  test.each(['/v1', '/api/v1'])('%s/user shows the profile with every documented field', async (mount) => {
    const user = await service.createUser({ name: 'Ada Lovelace', plan: 'pro' });
    const { status, body } = await call('GET', `${service.url}${mount}/user`, { token: user.key });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: user.id,
      name: 'Ada Lovelace',
      username: user.username,
      email: user.email,
      avatar_url: `${service.url}/avatars/${user.id}.svg`,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      subscription: { plan: 'pro', status: 'active', expires_at: null },
      preferences: { theme: 'system', language: 'en', notifications: { email: true, push: true } },
    });
  });

  test('shows when a subscription ends', async () => {
    const user = await service.createUser();
    const subscription_expires_at = new Date('2027-01-02T03:04:05.006Z');
    await service.db
      .updateTable('users')
      .set({ subscription_status: 'past_due', subscription_expires_at })
      .where('id', '=', user.id)
      .execute();
    expect((await read(user)).subscription).toEqual({
      plan: 'free',
      status: 'past_due',
      expires_at: subscription_expires_at.toISOString(),
    });
  });
});

describe('PATCH', () => {
  test('changes the name, without the surrounding white space, and nothing else', async () => {
    const user = await service.createUser();
    const before = await read(user);
    const { status, body } = await patch(user, { name: '  Grace Hopper\t' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, name: 'Grace Hopper' });
    expect(await read(user)).toEqual(body);
  });

  test.each([
    ['theme', { theme: 'dark' }, { theme: 'dark' }],
    ['language', { language: 'de' }, { language: 'de' }],
    ['language in its canonical form', { language: 'PT-br' }, { language: 'pt-BR' }],
    ['one notification', { notifications: { email: false } }, { notifications: { email: false, push: true } }],
    ['both', { notifications: { email: false, push: false } }, { notifications: { email: false, push: false } }],
    ['none', { notifications: {} }, {}],
    ['nothing', {}, {}],
  ])('of some preferences changes only those: %s', async (_what, preferences, expected) => {
    const user = await service.createUser();
    const before = await read(user);
    const { status, body } = await patch(user, { preferences });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, preferences: { ...before.preferences, ...expected } });
    expect(await read(user)).toEqual(body);
  });

  test.each([
    ['name', { name: '' }],
    ['name', { name: '   ' }],
    ['name', { name: 'a'.repeat(101) }],
    ['name', { name: null }],
    ['name', { name: 'a\u0000b' }],
    ['username', { username: 'Upper' }],
    ['username', { username: '-dash' }],
    ['username', { username: 'a'.repeat(40) }],
    ['username', { username: '' }],
    ['avatar_url', { avatar_url: 'javascript:alert(1)' }],
    ['avatar_url', { avatar_url: 'https://' }],
    ['avatar_url', { avatar_url: 'https://example.com/a b' }],
    ['avatar_url', { avatar_url: 'https://example.com/"><script>' }],
    ['preferences', { preferences: null }],
    ['preferences', { preferences: [] }],
    ['preferences.theme', { preferences: { theme: 'blue' } }],
    ['preferences.language', { preferences: { language: 'klingon!' } }],
    ['preferences.language', { preferences: { language: 'en-x' } }],
    ['preferences.font', { preferences: { font: 'serif' } }],
    ['preferences.notifications.email', { preferences: { notifications: { email: 'yes' } } }],
    ['preferences.notifications.sms', { preferences: { notifications: { sms: true } } }],
    ['is_admin', { is_admin: true }],
    ['plan', { plan: 'enterprise' }],
    ['password', { password: 'new' }],
  ])('with a bad or unknown %s is a 422 on that field and changes nothing: %j', async (field, json) => {
    const user = await service.createUser();
    const before = await read(user);
    expectError(await patch(user, { preferences: {}, ...json }), { status: 422, code: 'VALIDATION_ERROR', field });
    expect(await read(user)).toEqual(before);
    expect(await updates(user)).toEqual([]);
  });

  test("takes a GET's answer sent back and changes nothing", async () => {
    const user = await service.createUser();
    const before = await read(user);
    const answer = await patch(user, before);
    expect(answer).toMatchObject({ status: 200, body: before });
    const row = await service.db.selectFrom('users').select('avatar_url').where('id', '=', user.id).executeTakeFirst();
    expect(row?.avatar_url).toBeNull();
    expect(await updates(user)).toEqual([]);
  });

  test('ignores read-only fields, whatever their values', async () => {
    const user = await service.createUser();
    const before = await read(user);
    const forged = { id: 'usr_x', email: user.email, created_at: 1, subscription: { plan: 'enterprise' } };
    expect(await patch(user, forged)).toMatchObject({ status: 200, body: before });
    expect(await read(user)).toEqual(before);
  });

  test('Platform API, User: a different e-mail address is refused, since ignoring it would look like a change', async () => {
    const user = await service.createUser();
    const answer = await patch(user, { name: 'Changed', email: 'other@example.com' });
    expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field: 'email' });
    expect(answer.text).toContain('cannot be changed');
    expect(await updates(user)).toEqual([]);
  });

  test('touches no other user', async () => {
    const [user, other] = [await service.createUser(), await service.createUser()];
    const before = await read(other);
    await patch(user, { name: 'Changed', preferences: { theme: 'dark' } });
    expect(await read(other)).toEqual(before);
  });
});

describe('a username', () => {
  test('comes from the e-mail address, with a number if it is taken', async () => {
    const first = await service.createUser({ email: 'Jo.Doe+x@example.com' });
    const second = await service.createUser({ email: 'jo.doe+x@example.org' });
    expect([first.username, second.username]).toEqual(['jo.doe-x', 'jo.doe-x-2']);
  });

  test('that many addresses begin with gets a random number, and not the next free one', async () => {
    const names = [];
    for (let count = 1; count <= 12; count++) {
      names.push((await service.createUser({ email: `desk@${count}.example.com` })).username);
    }
    expect(names.slice(0, 9)).toEqual(['desk', ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `desk-${number}`)]);
    expect(names.slice(9)).not.toContain('desk-10');
    for (const name of names.slice(9)) expect(name).toMatch(/^desk-\d{2,8}$/);
  });

  test('can be changed, and the former one becomes free', async () => {
    const [user, other] = [await service.createUser(), await service.createUser()];
    expect(await patch(user, { username: 'ada.l' })).toMatchObject({ status: 200, body: { username: 'ada.l' } });
    expect(await patch(other, { username: user.username })).toMatchObject({ status: 200 });
  });

  test('of another account is a 409, and nothing in the request takes effect', async () => {
    const [user, other] = [await service.createUser(), await service.createUser()];
    const before = await read(user);
    expectError(await patch(user, { name: 'New', username: other.username }), { status: 409, code: 'CONFLICT' });
    expect(await read(user)).toEqual(before);
    expect(await updates(user)).toEqual([]);
  });

  test('of the user themselves is no conflict', async () => {
    const user = await service.createUser();
    expect((await patch(user, { username: user.username })).status).toBe(200);
  });

  test('wanted by several at the same time is given to one of them', async () => {
    const users = await Promise.all([1, 2, 3, 4].map(() => service.createUser()));
    const answers = await Promise.all(users.map((user) => patch(user, { username: 'wanted' })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409]);
  });
});

describe('a change of a user', () => {
  test('writes user.updated with every changed field as from and to, by the names of the API', async () => {
    const user = await service.createUser({ name: 'Before' });
    const answer = await patch(user, {
      name: 'After',
      preferences: { theme: 'dark', language: 'en', notifications: { email: false } },
    });
    const events = await updates(user);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      project_id: null,
      actor_id: user.id,
      request_id: answer.headers.get('x-request-id'),
      data: { user_id: user.id, name: 'After', email: user.email, username: user.username },
    });
    expect(events[0]?.data.changes).toEqual({
      name: { from: 'Before', to: 'After' },
      'preferences.theme': { from: 'system', to: 'dark' },
      'preferences.notifications.email': { from: true, to: false },
    });
  });

  test('writes no event if nothing changed', async () => {
    const user = await service.createUser();
    await patch(user, { name: user.name, preferences: { theme: 'system' } });
    await patch(user, {});
    expect(await updates(user)).toEqual([]);
  });
});

test('every event in these tests has the data that the catalogue describes', async () => {
  await expectStoredEventsCatalogued(service.db);
});
