import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectError, messageOf } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { toldMs, waitFor } from '../../testing/parts/wait-for.ts';
import { startNode } from '../../testing/service/node.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { newApiKey } from './api-key-format.ts';

const service = useTestService();
const userUrl = () => `${service.url}/v1/user`;
const withHeader = (authorization: string) => call('GET', userUrl(), { headers: { authorization } });
const unauthenticated = { status: 401, code: 'AUTHENTICATION_ERROR' } as const;

describe('a request without a valid credential', () => {
  test('gets a 401 with WWW-Authenticate if it has none at all', async () => {
    const answer = await call('GET', userUrl());
    expectError(answer, unauthenticated);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="bottega"');
    expect(messageOf(answer)).toContain('Bearer');
  });

  test.each([
    ['an empty header', ''],
    ['the scheme alone', 'Bearer'],
    ['the scheme and a space', 'Bearer '],
    ['the token alone', newApiKey()],
    ['Basic', `Basic ${Buffer.from('user:password').toString('base64')}`],
    ['another scheme', `Token ${newApiKey()}`],
    ['two tokens', `Bearer ${newApiKey()} ${newApiKey()}`],
    ['a comma list', `Bearer ${newApiKey()}, Bearer ${newApiKey()}`],
    ['a token with an umlaut', 'Bearer k\u00e4se'],
    ['a well-formed key that nobody has', `Bearer ${newApiKey()}`],
    ['a key with a bad checksum', `Bearer ${newApiKey().slice(0, -1)}!`],
    ['a key that is cut off', `Bearer ${newApiKey().slice(0, 30)}`],
    ['the prefix of keys alone', 'Bearer btg_live_'],
    ['an opaque token', `Bearer ${randomBytes(32).toString('base64url')}`],
    ['two dots', 'Bearer ..'],
    ['a very long token', `Bearer ${'x'.repeat(8_000)}`],
  ])('gets a 401 with WWW-Authenticate for %s', async (_what, header) => {
    expectError(await withHeader(header), unauthenticated);
  });

  test('gets a 401 on every method and both mounts, before anything else is checked', async () => {
    for (const mount of ['/v1', '/api/v1']) {
      for (const [method, path] of [
        ['GET', '/projects?limit=0'],
        ['POST', '/projects'],
        ['PUT', '/projects/none'],
        ['PATCH', '/user'],
        ['DELETE', '/user/api-keys/none'],
        ['POST', '/user/services'],
      ] as const) {
        const body = method === 'GET' ? {} : { json: { unknown: true } };
        expectError(await call(method, `${service.url}${mount}${path}`, body), unauthenticated);
      }
    }
  });
});

test('the scheme may be in any letter case, as in HTTP', async () => {
  const { key } = await service.createUser();
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) expect((await withHeader(`${scheme} ${key}`)).status).toBe(200);
  expect((await withHeader(`Bearer   ${key}`)).status).toBe(200);
});

test('a key in the query string is not a credential', async () => {
  const { key } = await service.createUser();
  for (const name of ['access_token', 'api_key', 'token']) {
    expectError(await call('GET', `${userUrl()}?${name}=${key}`), unauthenticated);
  }
});

test('the refusal is the same for an unknown key as for a mistyped one', async () => {
  const unknown = await withHeader(`Bearer ${newApiKey()}`);
  const mistyped = await withHeader(`Bearer ${newApiKey().slice(0, -1)}!`);
  expect(messageOf(unknown)).toBe(messageOf(mistyped));
});

/** Begins a POST without its body. The result sends the body, and resolves with the status of the response. */
function beginPost(url: string, token: string): (json: object) => Promise<number | undefined> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const begun = request(url, { method: 'POST', headers });
  const status = new Promise<number | undefined>((resolve, reject) => {
    begun.on('error', reject).on('response', (answer) => resolve(answer.resume().statusCode));
  });
  begun.flushHeaders();
  return (json) => {
    begun.end(JSON.stringify(json));
    return status;
  };
}

describe('a request whose body arrives after its headers', () => {
  /** Begins to create a key, and waits until the request is authenticated. */
  async function beginToCreateKey() {
    const user = await service.createUser();
    const { id, key } = await service.createKey(user.id);
    const finish = beginPost(`${userUrl()}/api-keys`, key);
    await waitFor('the use of the key is recorded', async () => {
      const { rows } = await service.pool.query('select last_used_at from api_keys where id = $1', [id]);
      return rows[0].last_used_at !== null;
    });
    return { user, id, key, finish: () => finish({ name: 'late' }) };
  }

  test('is answered if its credential is still valid', async () => {
    const { finish } = await beginToCreateKey();
    expect(await finish()).toBe(201);
  });

  test('gets a 401 if its credential was revoked meanwhile', async () => {
    const { user, id, finish } = await beginToCreateKey();
    expect((await call('DELETE', `${userUrl()}/api-keys/${id}`, { token: user.key })).status).toBe(204);
    expect(await finish()).toBe(401);
    const { rows } = await service.pool.query("select id from api_keys where user_id = $1 and name = 'late'", [
      user.id,
    ]);
    expect(rows).toEqual([]);
  });

  test('gets a 403 if its credential has lost the scope meanwhile', async () => {
    const { user, id, key, finish } = await beginToCreateKey();
    await service.pool.query("update api_keys set scopes = '{read:user}' where id = $1", [id]);
    await service.pool.query("select pg_notify('bottega_credentials', $1)", [user.id]);
    await waitFor('the service knows the change', async () => {
      const another = await call('POST', `${userUrl()}/api-keys`, { token: key, json: {} });
      return another.status === 403;
    });
    expect(await finish()).toBe(403);
  });
});

describe('on a second node', () => {
  let second: Awaited<ReturnType<typeof startNode>>;
  beforeAll(async () => {
    second = await startNode(service.database);
  });
  afterAll(() => second.close());

  const statusOnSecond = async (token: string) => (await call('GET', `${second.url}/v1/user`, { token })).status;

  test('a revoked key that was in use there stops as soon as that node is told', async () => {
    const user = await service.createUser();
    for (let round = 0; round < 5; round++) {
      const { id, key } = await service.createKey(user.id);
      expect(await statusOnSecond(key)).toBe(200);
      expect(await statusOnSecond(key)).toBe(200);
      await call('DELETE', `${service.url}/v1/user/api-keys/${id}`, { token: user.key });
      await waitFor('the second node refuses it', async () => (await statusOnSecond(key)) === 401, toldMs);
    }
  });

  test('a key rotated away without overlap stops as soon as that node is told, and the new one works at once', async () => {
    const user = await service.createUser();
    const { id, key } = await service.createKey(user.id);
    expect(await statusOnSecond(key)).toBe(200);
    const rotated = await call<{ key: string }>('POST', `${service.url}/v1/user/api-keys/${id}/rotate`, {
      token: user.key,
      json: { overlap_seconds: 0 },
    });
    expect(await statusOnSecond(rotated.body.key)).toBe(200);
    await waitFor('the second node refuses it', async () => (await statusOnSecond(key)) === 401, toldMs);
  });

  test('keys that were not touched still work during a flood of revocations', async () => {
    const user = await service.createUser();
    const steady = await service.createUser();
    const keys = await Promise.all(Array.from({ length: 20 }, () => service.createKey(user.id)));
    const revocations = Promise.all(
      keys.map(({ id }) => call('DELETE', `${service.url}/v1/user/api-keys/${id}`, { token: user.key })),
    );
    for (let round = 0; round < 20; round++) expect(await statusOnSecond(steady.key)).toBe(200);
    expect((await revocations).map(({ status }) => status)).toEqual(keys.map(() => 204));
    const left = await Promise.all(keys.map(({ key }) => statusOnSecond(key)));
    expect(left).toEqual(keys.map(() => 401));
  });
});
