import { createHash } from 'node:crypto';
import type { ApiKey, NewApiKey } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
const keysUrl = () => `${service.url}/v1/user/api-keys`;

const create = (token: string, json: unknown) => call<NewApiKey>('POST', keysUrl(), { token, json });
const list = (token: string) => call<{ data: ApiKey[] }>('GET', keysUrl(), { token });
const me = (token: string) => call('GET', `${service.url}/v1/user`, { token });

const rowOf = (id: string) => service.db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst();

describe('creating a key', () => {
  test('answers 201 with the documented fields, and the key works at once', async () => {
    const user = await service.createUser();
    const answer = await create(user.key, { name: 'CI' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      name: 'CI',
      hint: `${answer.body.key.slice(0, 13)}…`,
      key: expect.stringMatching(/^btg_live_[0-9A-Za-z]{49}$/),
      scopes: [],
      created_at: expect.stringMatching(/Z$/),
      expires_at: null,
      last_used_at: null,
    });
    expect((await me(answer.body.key)).body.id).toBe(user.id);
  });

  test('stores the SHA-256 of the key and the key itself nowhere in the database', async () => {
    const user = await service.createUser();
    const { body } = await create(user.key, { name: 'Digest' });
    expect((await rowOf(body.id))?.digest).toEqual(createHash('sha256').update(body.key).digest());
    const { rows } = await service.pool.query(
      "select tablename from pg_tables where schemaname in ('public', 'graphile_worker')",
    );
    for (const { tablename } of rows.filter(({ tablename: table }) => !table.startsWith('_private'))) {
      const found = await service.pool.query(`select 1 from ${tablename} as t where t::text like $1`, [
        `%${body.key.slice(9)}%`,
      ]);
      expect(found.rowCount, tablename).toBe(0);
    }
  });

  test('works below /api/v1 too', async () => {
    const user = await service.createUser();
    const url = `${service.url}/api/v1/user/api-keys`;
    expect((await call('POST', url, { token: user.key, json: { name: 'Other mount' } })).status).toBe(201);
  });

  test.each([
    ['no name', {}, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
    ['a name with a line break', { name: 'a\nb' }, 'name'],
    ['a name that is no text', { name: 1 }, 'name'],
    ['a scope that does not exist', { name: 'x', scopes: ['read:everything'] }, 'scopes.0'],
    ['the same scope twice', { name: 'x', scopes: ['read:user', 'read:user'] }, 'scopes'],
    ['scopes that are no list', { name: 'x', scopes: 'read:user' }, 'scopes'],
    ['an expiry in the past', { name: 'x', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['an expiry that is no time', { name: 'x', expires_at: 'tomorrow' }, 'expires_at'],
    ['an expiry on a day that does not exist', { name: 'x', expires_at: '2031-02-30T00:00:00Z' }, 'expires_at'],
    ['an unknown field', { name: 'x', admin: true }, 'admin'],
    ['a key of the caller’s choice', { name: 'x', key: 'btg_live_chosen' }, 'key'],
  ])('refuses %s with a 422 that names the field, and makes no key', async (_what, json, field) => {
    const user = await service.createUser();
    expectError(await create(user.key, json), { status: 422, code: 'VALIDATION_ERROR', field });
    expect((await list(user.key)).body.data).toHaveLength(1);
  });
});

describe('the list of keys', () => {
  test('shows the user’s own keys, newest first, and never the key itself', async () => {
    const user = await service.createUser();
    const stranger = await service.createUser();
    const first = await create(user.key, { name: 'First' });
    const second = await create(user.key, { name: 'Second', scopes: ['read:files'] });
    const answer = await list(user.key);
    expect(answer.status).toBe(200);
    expect(answer.body.data.slice(0, 2).map(({ id }) => id)).toEqual([second.body.id, first.body.id]);
    const { key, ...shown } = second.body;
    expect(answer.body.data[0]).toEqual(shown);
    expect(answer.text).not.toContain(key.slice(13));
    const others = (await list(stranger.key)).body.data.map(({ id }) => id);
    expect(others).not.toContain(first.body.id);
  });

  test('leaves out keys that have expired', async () => {
    const user = await service.createUser();
    const { id } = await service.createKey(user.id, { expiresAt: new Date(Date.now() - 1000) });
    expect((await list(user.key)).body.data.map((key) => key.id)).not.toContain(id);
  });
});

describe('the last use of a key', () => {
  test('is noted, but at most once a minute', async () => {
    const user = await service.createUser();
    const { id, key } = await service.createKey(user.id);
    expect((await rowOf(id))?.last_used_at).toBeNull();
    await me(key);
    const noted = await waitFor('the first use is noted', async () => (await rowOf(id))?.last_used_at);
    expect(Math.abs(noted.getTime() - Date.now())).toBeLessThan(10_000);

    const halfAMinuteAgo = new Date(Date.now() - 30_000);
    await service.db.updateTable('api_keys').set({ last_used_at: halfAMinuteAgo }).where('id', '=', id).execute();
    // After a change of credentials, a key is looked up again and not taken from the cache.
    await create(user.key, { name: 'x' }).then(({ body }) => revoke(user.key, body.id));
    await me(key);
    // If the use had been recorded, it would be visible before this later use of another key.
    const other = await service.createKey(user.id);
    await me(other.key);
    await waitFor('the other key’s use is noted', async () => (await rowOf(other.id))?.last_used_at);
    expect((await rowOf(id))?.last_used_at).toEqual(halfAMinuteAgo);

    const longAgo = new Date(Date.now() - 61_000);
    await service.db.updateTable('api_keys').set({ last_used_at: longAgo }).where('id', '=', id).execute();
    await create(user.key, { name: 'x' }).then(({ body }) => revoke(user.key, body.id));
    await waitFor('it is noted again after a minute', async () => {
      await me(key);
      const at = (await rowOf(id))?.last_used_at;
      return at && at > longAgo;
    });
  });

  test('is not noted for a request with an expired key', async () => {
    const user = await service.createUser();
    const { id, key } = await service.createKey(user.id, { expiresAt: new Date(Date.now() - 1000) });
    expect((await me(key)).status).toBe(401);
    expect((await rowOf(id))?.last_used_at).toBeNull();
  });
});

describe('other users’ keys', () => {
  test('can be neither revoked nor rotated: both are 404, and the keys go on working', async () => {
    const owner = await service.createUser();
    const stranger = await service.createUser();
    const { body } = await create(owner.key, { name: 'Mine' });
    expectError(await revoke(stranger.key, body.id), { status: 404, code: 'NOT_FOUND' });
    expectError(await call('POST', `${keysUrl()}/${body.id}/rotate`, { token: stranger.key, json: {} }), {
      status: 404,
      code: 'NOT_FOUND',
    });
    expect((await me(body.key)).status).toBe(200);
    expect((await rowOf(body.id))?.expires_at).toBeNull();
  });

  test.each([
    'key_00000000000000000000000000',
    'nonsense',
    '%00',
    '%F0%9F%94%91',
    'prj_01jd2m6vz8e3r9x5k7q4w1t0ab',
    'x'.repeat(290),
  ])('get the same 404 as an invalid id: %s', async (id) => {
    const user = await service.createUser();
    expectError(await revoke(user.key, id), { status: 404, code: 'NOT_FOUND' });
    expectError(await call('POST', `${keysUrl()}/${id}/rotate`, { token: user.key, json: {} }), {
      status: 404,
      code: 'NOT_FOUND',
    });
  });
});

const revoke = (token: string, id: string) => call('DELETE', `${keysUrl()}/${id}`, { token });
