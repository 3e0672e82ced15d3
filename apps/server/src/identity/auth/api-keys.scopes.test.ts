import { allScopes, type NewApiKey, type Scope } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectError, messageOf } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { goodClaims, nowSeconds, signJwt } from '../../testing/clients/service-jwt.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
const keysUrl = () => `${service.url}/v1/user/api-keys`;
const create = (token: string, json: unknown) => call<NewApiKey>('POST', keysUrl(), { token, json });

async function keyWith(scopes: Scope[], expiresAt: Date | null = null) {
  const user = await service.createUser();
  const { id, key } = await service.createKey(user.id, { scopes, expiresAt });
  return { user, id, key };
}

const countKeys = async (userId: string) =>
  (await service.db.selectFrom('api_keys').select('id').where('user_id', '=', userId).execute()).length;

describe('the scopes of a key', () => {
  const routes: [Scope, string, string, unknown][] = [
    ['read:projects', 'GET', '/v1/projects', undefined],
    ['read:projects', 'GET', '/v1/projects/prj_00000000000000000000000000', undefined],
    ['write:projects', 'POST', '/v1/projects', { name: 'Scoped' }],
    ['write:projects', 'PUT', '/v1/projects/prj_00000000000000000000000000', { name: 'Scoped' }],
    ['write:projects', 'PATCH', '/v1/projects/prj_00000000000000000000000000', { name: 'Scoped' }],
    ['write:projects', 'DELETE', '/v1/projects/prj_00000000000000000000000000', undefined],
    ['write:projects', 'POST', '/v1/projects/prj_00000000000000000000000000/restore', undefined],
    ['read:user', 'GET', '/v1/user', undefined],
    ['read:user', 'GET', '/v1/user/usage', undefined],
    ['read:user', 'GET', '/v1/user/api-keys', undefined],
    ['read:user', 'GET', '/v1/user/services', undefined],
    ['write:user', 'PATCH', '/v1/user', { name: 'Scoped' }],
    ['write:user', 'POST', '/v1/user/api-keys', { name: 'Scoped' }],
    ['write:user', 'DELETE', '/v1/user/api-keys/key_00000000000000000000000000', undefined],
    ['write:user', 'POST', '/v1/user/api-keys/key_00000000000000000000000000/rotate', {}],
    ['write:user', 'DELETE', '/v1/user/services/svc_00000000000000000000000000', undefined],
  ];

  test.each(routes)('must include %s for %s %s, on both mounts', async (needed, method, path, json) => {
    const enough = allScopes.filter(
      (scope) => scope === needed || (needed.startsWith('read:') && scope === needed.replace('read', 'write')),
    );
    const { key: all } = await keyWith(enough.slice(0, 1));
    const { key: rest } = await keyWith(allScopes.filter((scope) => !enough.includes(scope)));
    for (const mount of [path, `/api${path}`]) {
      const passed = await call(method, `${service.url}${mount}`, { token: all, json });
      expect([200, 201, 204, 404]).toContain(passed.status);
      const refused = await call(method, `${service.url}${mount}`, { token: rest, json });
      expectError(refused, { status: 403, code: 'AUTHORIZATION_ERROR' });
      expect(messageOf(refused)).toContain(needed);
    }
  });

  test('include read with write of the same area, and of no other', async () => {
    const { key } = await keyWith(['write:projects']);
    expect((await call('GET', `${service.url}/v1/projects`, { token: key })).status).toBe(200);
    expect((await call('GET', `${service.url}/v1/user`, { token: key })).status).toBe(403);
  });

  test('do not include write with read, and nothing is written', async () => {
    const { user, key } = await keyWith(['read:projects']);
    const refused = await call('POST', `${service.url}/v1/projects`, { token: key, json: { name: 'No' } });
    expectError(refused, { status: 403, code: 'AUTHORIZATION_ERROR' });
    const rows = await service.db.selectFrom('projects').select('id').where('owner_id', '=', user.id).execute();
    expect(rows).toEqual([]);
  });

  test('are checked before the body, and a missing one is a 403', async () => {
    const { key } = await keyWith(['read:projects']);
    const refused = await call('POST', `${service.url}/v1/projects`, { token: key, body: '{broken' });
    expectError(refused, { status: 403, code: 'AUTHORIZATION_ERROR' });
  });
});

describe('a key that makes another key', () => {
  test('passes on its own scopes if the request has none', async () => {
    const { key } = await keyWith(['write:user', 'read:projects']);
    const made = await create(key, { name: 'Same' });
    expect(made.body.scopes).toEqual(['write:user', 'read:projects']);
    expect(
      (await call('POST', `${service.url}/v1/projects`, { token: made.body.key, json: { name: 'x' } })).status,
    ).toBe(403);
  });

  test('may pass on a part of its scopes, including read if it has write', async () => {
    const { key } = await keyWith(['write:user', 'write:projects']);
    expect((await create(key, { name: 'Part', scopes: ['write:projects'] })).status).toBe(201);
    expect((await create(key, { name: 'Read', scopes: ['read:projects', 'read:user'] })).status).toBe(201);
  });

  test.each<[string, Scope[]]>([
    ['every scope, by an empty list', []],
    ['a scope of another area', ['read:files']],
    ['write where it has read', ['write:projects']],
    ['one that it has and one that it has not', ['write:user', 'read:webhooks']],
  ])('gets a 403 if it asks for %s, and no key is made', async (_what, scopes) => {
    const { user, key } = await keyWith(['write:user', 'read:projects']);
    expectError(await create(key, { name: 'More', scopes }), { status: 403, code: 'AUTHORIZATION_ERROR' });
    expect(await countKeys(user.id)).toBe(2);
  });

  test('gets a 403 if it rotates a key with more scopes, which stays as it was', async () => {
    const { user, key } = await keyWith(['write:user']);
    const broad = await service.createKey(user.id);
    const refused = await call('POST', `${keysUrl()}/${broad.id}/rotate`, { token: key, json: { overlap_seconds: 0 } });
    expectError(refused, { status: 403, code: 'AUTHORIZATION_ERROR' });
    expect((await call('GET', `${service.url}/v1/user`, { token: broad.key })).status).toBe(200);
  });
});

describe('a credential that expires', () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000);

  test.each([
    ['without an expiry', null],
    ['a second later than its own', 1_000],
  ])('gets a 403 for a new key (%s), and no key is made', async (_what, later) => {
    const expiresAt = inAnHour();
    const { user, key } = await keyWith([], expiresAt);
    const wanted = later === null ? null : new Date(expiresAt.getTime() + later).toISOString();
    expectError(await create(key, { name: 'Longer', expires_at: wanted }), {
      status: 403,
      code: 'AUTHORIZATION_ERROR',
    });
    expect(await countKeys(user.id)).toBe(2);
  });

  test('may make a key that expires with it or before it', async () => {
    const expiresAt = inAnHour();
    const { key } = await keyWith([], expiresAt);
    const same = await create(key, { name: 'Same', expires_at: expiresAt.toISOString() });
    expect(same.body.expires_at).toBe(expiresAt.toISOString());
    expect((await create(key, { name: 'Sooner', expires_at: new Date(Date.now() + 60_000) })).status).toBe(201);
  });

  test('after minutes, such as a JWT, makes no longer-lived key, rotation or service either', async () => {
    const user = await service.createUser();
    const issuer = `https://${user.id}.example.com`;
    const registered = await service.registerIssuer(user.id, issuer);
    const claims = { ...goodClaims({ issuer, userId: user.id, audience: 'bottega' }), exp: nowSeconds() + 600 };
    const token = await signJwt({ secret: registered.secret, claims });
    const lasting = await service.createKey(user.id);
    const post = (path: string, json: unknown) => call('POST', `${service.url}/v1/user${path}`, { token, json });
    for (const [path, json] of [
      ['/api-keys', { name: 'Lasting', expires_at: null }],
      ['/api-keys', { name: 'Longer', expires_at: new Date(Date.now() + 900_000) }],
      [`/api-keys/${lasting.id}/rotate`, {}],
      ['/services', { issuer: `${issuer}/other` }],
      [`/services/${registered.id}/rotate`, {}],
    ] as const) {
      expectError(await post(path, json), { status: 403, code: 'AUTHORIZATION_ERROR' });
    }
    expect(await countKeys(user.id)).toBe(2);
    expect((await post('/api-keys', { name: 'Brief', expires_at: new Date(Date.now() + 300_000) })).status).toBe(201);
    const { body } = await post('/api-keys', { name: 'Nothing said' });
    expect(Date.parse(String(body.expires_at))).toBe((claims.exp + 30) * 1000);
  });

  test('gets a 403 if it rotates a key that lives longer, since the new key would outlive it', async () => {
    const { user, key } = await keyWith([], inAnHour());
    const lasting = await service.createKey(user.id);
    const refused = await call('POST', `${keysUrl()}/${lasting.id}/rotate`, { token: key, json: {} });
    expectError(refused, { status: 403, code: 'AUTHORIZATION_ERROR' });
    expect(await countKeys(user.id)).toBe(3);
    expect((await call('GET', `${service.url}/v1/user`, { token: lasting.key })).status).toBe(200);
  });

  test('cannot make itself lasting if it is the former key of a rotation', async () => {
    const user = await service.createUser();
    const former = await service.createKey(user.id);
    const rotated = await call<NewApiKey>('POST', `${keysUrl()}/${former.id}/rotate`, { token: user.key, json: {} });
    const refused = await call('POST', `${keysUrl()}/${rotated.body.id}/rotate`, { token: former.key, json: {} });
    expectError(refused, { status: 403, code: 'AUTHORIZATION_ERROR' });
    expect((await create(former.key, { name: 'Lasting' })).status).toBe(403);
  });

  test('may rotate itself if it is a key, and the new key expires when it would have', async () => {
    const expiresAt = inAnHour();
    const { id, key } = await keyWith([], expiresAt);
    const rotated = await call<NewApiKey>('POST', `${keysUrl()}/${id}/rotate`, { token: key, json: {} });
    expect(rotated.status).toBe(201);
    expect(rotated.body.expires_at).toBe(expiresAt.toISOString());
  });
});
