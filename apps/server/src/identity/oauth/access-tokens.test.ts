import { allScopes, type Scope } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { issueAccessToken } from '../../testing/samples/oauth-tokens.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
let user: TestUser;
beforeAll(async () => {
  user = await service.createUser();
});

const get = (token: string, path = '/v1/user') => call('GET', `${service.url}${path}`, { token });
const refused = { status: 401, code: 'AUTHENTICATION_ERROR' } as const;

describe('an access token', () => {
  test('acts as its user, within its scopes, on both mounts (ASVS 10.3.2)', async () => {
    const { token } = await issueAccessToken(service, user.id, ['read:user']);
    for (const mount of ['/v1', '/api/v1']) {
      const answer = await get(token, `${mount}/user`);
      expect({ status: answer.status, id: answer.body.id }).toEqual({ status: 200, id: user.id });
      expectError(await get(token, `${mount}/projects`), { status: 403, code: 'AUTHORIZATION_ERROR' });
    }
  });

  test('with write:x may read x', async () => {
    const { token } = await issueAccessToken(service, user.id, ['write:projects']);
    expect((await get(token, '/v1/projects')).status).toBe(200);
  });

  test('without any scope is refused, instead of having all scopes', async () => {
    const { token, grantId } = await issueAccessToken(service, user.id, ['read:user']);
    for (const scope of [null, '', ' ', 'unknown']) {
      await service.pool.query(`update oauth_records set payload = payload || $1::jsonb where grant_id = $2`, [
        JSON.stringify({ scope }),
        grantId,
      ]);
      expectError(await get(token), refused);
    }
  });

  test('that has expired is refused', async () => {
    const { token, grantId } = await issueAccessToken(service, user.id, ['read:user']);
    await service.pool.query(`update oauth_records set expires_at = now() where grant_id = $1`, [grantId]);
    expectError(await get(token), refused);
  });

  test('is refused once its grant has expired or is gone', async () => {
    const one = await issueAccessToken(service, user.id, ['read:user']);
    await service.pool.query(`update oauth_grants set expires_at = now() where id = $1`, [one.grantId]);
    expectError(await get(one.token), refused);
    const other = await issueAccessToken(service, user.id, ['read:user']);
    await service.pool.query(`delete from oauth_grants where id = $1`, [other.grantId]);
    expectError(await get(other.token), refused);
  });

  test('is refused once its user is deleted', async () => {
    const leaving = await service.createUser();
    const { token } = await issueAccessToken(service, leaving.id, ['read:user']);
    await service.pool.query(`delete from users where id = $1`, [leaving.id]);
    expectError(await get(token), refused);
  });

  test('that is malformed, or stored as another kind of token, is refused', async () => {
    const { token, grantId } = await issueAccessToken(service, user.id, ['read:user']);
    for (const wrong of [`${token}x`, token.slice(1), `${token.slice(0, -1)}!`, 'x', `x.${token}`]) {
      expectError(await get(wrong), refused);
    }
    await service.pool.query(`update oauth_records set model = 'RefreshToken' where grant_id = $1`, [grantId]);
    expectError(await get(token), refused);
  });

  test('is stored nowhere in the database in plain text', async () => {
    const { token, grantId } = await issueAccessToken(service, user.id, ['read:user']);
    const { rows } = await service.pool.query(`select r::text as text from oauth_records r where grant_id = $1`, [
      grantId,
    ]);
    expect(rows).toHaveLength(1);
    expect(rows[0].text).not.toContain(token);
    expect(rows[0].text).not.toContain(Buffer.from(token).toString('hex'));
  });
});

describe('an app, whatever its scopes,', () => {
  test.each([
    ['POST', '/user/api-keys', { name: 'x' }],
    ['POST', '/user/services', { issuer: 'x' }],
    ['POST', '/user/oauth-apps', { name: 'x', redirect_uris: ['https://x.example.com/'] }],
    ['DELETE', '/user/authorized-apps/app_00000000000000000000000000', undefined],
  ])('cannot %s %s, since the result would outlive it', async (method, path, json) => {
    const { token } = await issueAccessToken(service, user.id, allScopes);
    const answer = await call(method, `${service.url}/v1${path}`, { token, ...(json && { json }) });
    expectError(answer, { status: 403, code: 'AUTHORIZATION_ERROR' });
  });

  test('has no rights of an administrator', async () => {
    const admin = await service.createUser({ isAdmin: true });
    const all: Scope[] = [...allScopes];
    const { token } = await issueAccessToken(service, admin.id, all);
    expect((await get(token)).status).toBe(200);
    const { identifyAccessToken } = await import('./access-tokens.ts');
    expect(await identifyAccessToken(service.db, token, service.url)).toMatchObject({
      isAdmin: false,
      credential: { kind: 'oauth' },
    });
  });
});
