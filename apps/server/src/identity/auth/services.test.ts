import type { NewService, Service } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { goodClaims, signJwt } from '../../testing/clients/service-jwt.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
const servicesUrl = () => `${service.url}/v1/user/services`;
let issuers = 0;
const newIssuer = () => `https://ci-${++issuers}.example.com`;

const register = (token: string, json: unknown) => call<NewService>('POST', servicesUrl(), { token, json });
const rotate = (token: string, id: string, json?: unknown) =>
  call<NewService>('POST', `${servicesUrl()}/${id}/rotate`, { token, json });
const list = async (token: string) => (await call<{ data: Service[] }>('GET', servicesUrl(), { token })).body.data;
const keyRows = (id: string) =>
  service.db.selectFrom('service_keys').selectAll().where('service_id', '=', id).execute();

async function status(user: TestUser, { issuer, kid, secret }: { issuer: string; kid?: string; secret: string }) {
  const claims = goodClaims({ issuer, userId: user.id, audience: 'bottega' });
  const token = await signJwt({ secret, claims, header: kid === undefined ? {} : { kid } });
  return (await call('GET', `${service.url}/v1/user`, { token })).status;
}

describe('registering a service', () => {
  test('answers 201 with one key and its secret, which signs at once', async () => {
    const user = await service.createUser();
    const issuer = newIssuer();
    const { status: code, body } = await register(user.key, { issuer });
    expect(code).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^svc_[0-9a-z]{26}$/),
      issuer,
      user_id: user.id,
      kid: expect.stringMatching(/^[0-9A-Za-z]{12}$/),
      secret: expect.stringMatching(/^[0-9A-Za-z_-]{43}$/),
      keys: [{ kid: body.kid, created_at: expect.any(String), expires_at: null }],
      created_at: expect.stringMatching(/Z$/),
    });
    expect(Buffer.byteLength(body.secret)).toBeGreaterThanOrEqual(32);
    expect(await status(user, body)).toBe(200);
  });

  test('stores the secret encrypted and never shows it again', async () => {
    const user = await service.createUser();
    const { body } = await register(user.key, { issuer: newIssuer() });
    const answer = await call('GET', servicesUrl(), { token: user.key });
    expect(answer.text).toContain(body.kid);
    expect(answer.text).not.toContain(body.secret);
    const [row] = await keyRows(body.id);
    expect(row?.secret_encrypted.includes(body.secret)).toBe(false);
    expect(row?.secret_encrypted.includes(Buffer.from(body.secret, 'base64url'))).toBe(false);
  });

  test('is a 409 if anybody has registered the issuer', async () => {
    const [first, second] = [await service.createUser(), await service.createUser()];
    const issuer = newIssuer();
    await register(first.key, { issuer });
    expectError(await register(first.key, { issuer }), { status: 409, code: 'CONFLICT' });
    expectError(await register(second.key, { issuer }), { status: 409, code: 'CONFLICT' });
    expect(await list(second.key)).toEqual([]);
  });

  test('succeeds for exactly one of ten registrations of one issuer at once', async () => {
    const user = await service.createUser();
    const issuer = newIssuer();
    const answers = await Promise.all(Array.from({ length: 10 }, () => register(user.key, { issuer })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(9).fill(409)]);
    expect(await list(user.key)).toHaveLength(1);
  });

  test.each([
    ['no issuer', {}],
    ['an empty issuer', { issuer: '' }],
    ['one with a space', { issuer: 'my service' }],
    ['one with a NUL', { issuer: 'a\0b' }],
    ['one of 201 characters', { issuer: 'x'.repeat(201) }],
    ['one that is no text', { issuer: 7 }],
  ])('with %s is a 422 that names the field', async (_what, json) => {
    const user = await service.createUser();
    const refused = await register(user.key, json);
    expectError(refused, { status: 422, code: 'VALIDATION_ERROR', field: 'issuer' });
  });

  test('with a secret of the caller’s choice is refused', async () => {
    const user = await service.createUser();
    const refused = await register(user.key, { issuer: newIssuer(), secret: 'short' });
    expectError(refused, { status: 422, code: 'VALIDATION_ERROR', field: 'secret' });
  });

  test('needs a credential without restriction, since a service would be broader or outlive it', async () => {
    const user = await service.createUser();
    const scoped = await service.createKey(user.id, { scopes: ['write:user'] });
    const expiring = await service.createKey(user.id, { expiresAt: new Date(Date.now() + 60_000) });
    for (const { key } of [scoped, expiring]) {
      const refused = await register(key, { issuer: newIssuer() });
      expectError(refused, { status: 403, code: 'AUTHORIZATION_ERROR' });
    }
    expect(await list(user.key)).toEqual([]);
  });
});

describe('rotating a service’s key', () => {
  test('both keys verify by their kid, and a JWT without kid is refused while there are two', async () => {
    const user = await service.createUser();
    const { body: first } = await register(user.key, { issuer: newIssuer() });
    const { issuer, secret } = first;
    expect(await status(user, { issuer, secret })).toBe(200);
    const { status: code, body: second } = await rotate(user.key, first.id, { overlap_seconds: 3600 });
    expect(code).toBe(201);
    expect(second.keys.map((key) => key.kid)).toEqual([second.kid, first.kid]);
    expect(second.keys.map((key) => key.expires_at !== null)).toEqual([false, true]);
    expect(second.secret).not.toBe(secret);
    expect(await status(user, first)).toBe(200);
    expect(await status(user, second)).toBe(200);
    expect(await status(user, { issuer, secret: second.secret })).toBe(401);
    expect(await status(user, { issuer, kid: second.kid, secret })).toBe(401);
  });

  test('with an overlap of 0 the former key stops at once, and no kid is needed', async () => {
    const user = await service.createUser();
    const { body: first } = await register(user.key, { issuer: newIssuer() });
    const token = await signJwt({
      secret: first.secret,
      claims: goodClaims({ issuer: first.issuer, userId: user.id, audience: 'bottega' }),
    });
    // Cached from here on.
    expect((await call('GET', `${service.url}/v1/user`, { token })).status).toBe(200);
    const { body: second } = await rotate(user.key, first.id, { overlap_seconds: 0 });
    expect((await call('GET', `${service.url}/v1/user`, { token })).status).toBe(401);
    expect(await status(user, first)).toBe(401);
    expect(await status(user, { issuer: second.issuer, secret: second.secret })).toBe(200);
  });

  test('the former key stops when the overlap ends, even for a JWT that is remembered', async () => {
    const user = await service.createUser();
    const { body: first } = await register(user.key, { issuer: newIssuer() });
    await rotate(user.key, first.id, { overlap_seconds: 1 });
    const claims = goodClaims({ issuer: first.issuer, userId: user.id, audience: 'bottega' });
    const token = await signJwt({ secret: first.secret, claims, header: { kid: first.kid } });
    const used = () => call('GET', `${service.url}/v1/user`, { token });
    expect((await used()).status).toBe(200);
    await waitFor('the overlap is over', async () => (await used()).status === 401, 2_500);
  });

  test('there are never more than two keys: a second rotation drops the oldest', async () => {
    const user = await service.createUser();
    const { body: first } = await register(user.key, { issuer: newIssuer() });
    const { body: second } = await rotate(user.key, first.id);
    const { body: third } = await rotate(user.key, first.id);
    expect(third.keys.map((key) => key.kid)).toEqual([third.kid, second.kid]);
    expect(await keyRows(first.id)).toHaveLength(2);
    expect(await status(user, first)).toBe(401);
    expect(await status(user, second)).toBe(200);
    expect(await status(user, third)).toBe(200);
  });

  test('is a 403 for a restricted credential and a 404 for another user’s service', async () => {
    const [user, stranger] = [await service.createUser(), await service.createUser()];
    const { body } = await register(user.key, { issuer: newIssuer() });
    const scoped = await service.createKey(user.id, { scopes: ['write:user'] });
    expectError(await rotate(scoped.key, body.id), { status: 403, code: 'AUTHORIZATION_ERROR' });
    expectError(await rotate(stranger.key, body.id), { status: 404, code: 'NOT_FOUND' });
    expectError(await rotate(user.key, '%00'), { status: 404, code: 'NOT_FOUND' });
    expect(await status(user, body)).toBe(200);
  });
});

describe('removing a service', () => {
  test('answers 204, its JWTs stop at once, and its keys are gone', async () => {
    const user = await service.createUser();
    const { body } = await register(user.key, { issuer: newIssuer() });
    expect(await status(user, body)).toBe(200);
    const answer = await call('DELETE', `${servicesUrl()}/${body.id}`, { token: user.key });
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect(await status(user, body)).toBe(401);
    expect(await keyRows(body.id)).toEqual([]);
    expect(await list(user.key)).toEqual([]);
  });

  test('frees its issuer for another registration, with another secret', async () => {
    const [user, other] = [await service.createUser(), await service.createUser()];
    const { body: former } = await register(user.key, { issuer: newIssuer() });
    await call('DELETE', `${servicesUrl()}/${former.id}`, { token: user.key });
    const { body: present } = await register(other.key, { issuer: former.issuer });
    expect(await status(user, former)).toBe(401);
    expect(await status(other, present)).toBe(200);
  });

  test('is a 404 for another user’s service and for an invalid id', async () => {
    const [user, stranger] = [await service.createUser(), await service.createUser()];
    const { body } = await register(user.key, { issuer: newIssuer() });
    for (const id of [body.id, 'nonsense', '%00']) {
      const refused = await call('DELETE', `${servicesUrl()}/${id}`, { token: stranger.key });
      expectError(refused, { status: 404, code: 'NOT_FOUND' });
    }
    expect(await status(user, body)).toBe(200);
    expect(await list(stranger.key)).toEqual([]);
  });
});
