import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { goodClaims, signJwt } from '../../testing/clients/service-jwt.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
let issuers = 0;

async function registered() {
  const user = await service.createUser();
  const issuer = `https://scoped-${++issuers}.example.com`;
  const { secret } = await service.registerIssuer(user.id, issuer);
  const claims = goodClaims({ issuer, userId: user.id, audience: 'bottega' });
  return {
    user,
    sign: (scope?: unknown) => signJwt({ secret, claims: scope === undefined ? claims : { ...claims, scope } }),
  };
}

const request = (method: string, path: string, token: string, json?: unknown) =>
  call<Record<string, unknown>>(method, `${service.url}${path}`, { token, json });

describe('the scope claim of a JWT', () => {
  test('may be missing, and then the JWT may do what its user may', async () => {
    const { user, sign } = await registered();
    const token = await sign();
    const created = await request('POST', '/v1/projects', token, { name: 'By a service' });
    expect(created.status).toBe(201);
    expect(created.body.owner).toMatchObject({ id: user.id });
    const events = await service.db
      .selectFrom('events')
      .select('actor_id')
      .where('project_id', '=', String(created.body.id))
      .execute();
    expect(events).toEqual([{ actor_id: user.id }]);
  });

  test('narrows what the JWT may do', async () => {
    const { sign } = await registered();
    const token = await sign('read:projects read:user');
    expect((await request('GET', '/v1/projects', token)).status).toBe(200);
    expect((await request('GET', '/v1/user', token)).status).toBe(200);
    const refused = await request('POST', '/v1/projects', token, { name: 'No' });
    expectError(refused, { status: 403, code: 'AUTHORIZATION_ERROR' });
  });

  test('includes read with write', async () => {
    const { sign } = await registered();
    expect((await request('GET', '/v1/projects', await sign('write:projects'))).status).toBe(200);
  });

  test.each([['read:everything'], [''], ['  '], [['read:projects']], [null], [7], ['read:projects admin']])(
    'leads to a 401 as %j, and never to an unrestricted JWT',
    async (scope) => {
      const { sign } = await registered();
      const refused = await request('GET', '/v1/projects', await sign(scope));
      expectError(refused, { status: 401, code: 'AUTHENTICATION_ERROR' });
    },
  );

  test('limits the keys that the JWT makes, so that none is broader than the JWT', async () => {
    const { sign } = await registered();
    const token = await sign('write:user');
    const made = await request('POST', '/v1/user/api-keys', token, { name: 'Made by a JWT' });
    expect(made.body.scopes).toEqual(['write:user']);
    const refused = await request('POST', '/v1/user/api-keys', token, { name: 'More', scopes: [] });
    expectError(refused, { status: 403, code: 'AUTHORIZATION_ERROR' });
  });

  test('keeps the JWT from managing services', async () => {
    const { sign } = await registered();
    const refused = await request('POST', '/v1/user/services', await sign('write:user'), {
      issuer: 'https://x.example',
    });
    expectError(refused, { status: 403, code: 'AUTHORIZATION_ERROR' });
  });
});
