import type { ApiKey, NewApiKey } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { toldMs, waitFor } from '../../testing/parts/wait-for.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
const keysUrl = () => `${service.url}/v1/user/api-keys`;
const me = (token: string) => call('GET', `${service.url}/v1/user`, { token });
const revoke = (token: string, id: string) => call('DELETE', `${keysUrl()}/${id}`, { token });
const rotate = (token: string, id: string, json?: unknown) =>
  call<NewApiKey>('POST', `${keysUrl()}/${id}/rotate`, { token, json });
const rowOf = (id: string) => service.db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst();

describe('expiry', () => {
  test('a key works until it expires and is a 401 from then on, even if it is cached', async () => {
    const user = await service.createUser();
    const expiresAt = new Date(Date.now() + 1_500);
    const { key } = await service.createKey(user.id, { expiresAt });
    expect((await me(key)).status).toBe(200);
    const refused = await waitFor('the key has expired', async () => {
      const answer = await me(key);
      return answer.status !== 200 && answer;
    });
    expectError(refused, { status: 401, code: 'AUTHENTICATION_ERROR' });
    const late = Date.now() - expiresAt.getTime();
    expect(late).toBeGreaterThanOrEqual(0);
    // Far less than the ten seconds for which an identity is cached.
    expect(late).toBeLessThan(1_000);
  });

  test('an expired key cannot be renewed by a rotation', async () => {
    const user = await service.createUser();
    const { id } = await service.createKey(user.id, { expiresAt: new Date(Date.now() - 1) });
    expectError(await rotate(user.key, id, {}), { status: 404, code: 'NOT_FOUND' });
  });
});

describe('rotation', () => {
  test('the new key takes over name, scopes and expiry, and both keys work during the overlap', async () => {
    const user = await service.createUser();
    const expiresAt = new Date(Date.now() + 90 * 86_400_000);
    const former = await service.createKey(user.id, { scopes: ['read:user'], expiresAt });
    const answer = await rotate(user.key, former.id, { overlap_seconds: 3600 });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ name: 'test', scopes: ['read:user'], expires_at: expiresAt.toISOString() });
    expect(answer.body.id).not.toBe(former.id);
    expect(answer.body.key).not.toBe(former.key);
    expect((await me(former.key)).status).toBe(200);
    expect((await me(answer.body.key)).status).toBe(200);
    const formerEnds = (await rowOf(former.id))?.expires_at?.getTime() ?? 0;
    expect(Math.abs(formerEnds - Date.now() - 3_600_000)).toBeLessThan(10_000);
  });

  test('the overlap is a day if the request has no body', async () => {
    const user = await service.createUser();
    const former = await service.createKey(user.id);
    expect((await rotate(user.key, former.id)).status).toBe(201);
    const formerEnds = (await rowOf(former.id))?.expires_at?.getTime() ?? 0;
    expect(Math.abs(formerEnds - Date.now() - 86_400_000)).toBeLessThan(10_000);
  });

  test('with an overlap of 0 the former key stops at once', async () => {
    const user = await service.createUser();
    for (let round = 0; round < 20; round++) {
      const former = await service.createKey(user.id);
      expect((await me(former.key)).status).toBe(200);
      const answer = await rotate(user.key, former.id, { overlap_seconds: 0 });
      expectError(await me(former.key), { status: 401, code: 'AUTHENTICATION_ERROR' });
      expect((await me(answer.body.key)).status).toBe(200);
    }
  });

  test('the former key stops at the end of a short overlap', async () => {
    const user = await service.createUser();
    const former = await service.createKey(user.id);
    await rotate(user.key, former.id, { overlap_seconds: 1 });
    expect((await me(former.key)).status).toBe(200);
    await waitFor('the overlap is over', async () => (await me(former.key)).status === 401, toldMs);
  });

  test('an overlap never lengthens the life of a key', async () => {
    const user = await service.createUser();
    const expiresAt = new Date(Date.now() + 60_000);
    const former = await service.createKey(user.id, { expiresAt });
    await rotate(user.key, former.id, { overlap_seconds: 3600 });
    expect((await rowOf(former.id))?.expires_at).toEqual(expiresAt);
  });

  test('a key may rotate itself', async () => {
    const user = await service.createUser();
    const former = await service.createKey(user.id);
    const answer = await rotate(former.key, former.id, { overlap_seconds: 0 });
    expect(answer.status).toBe(201);
    expect((await me(former.key)).status).toBe(401);
    expect((await me(answer.body.key)).status).toBe(200);
  });

  test.each([
    ['a negative overlap', { overlap_seconds: -1 }],
    ['one above thirty days', { overlap_seconds: 30 * 86_400 + 1 }],
    ['a fraction', { overlap_seconds: 1.5 }],
    ['text', { overlap_seconds: '60' }],
  ])('%s is a 422, and the key stays as it was', async (_what, json) => {
    const user = await service.createUser();
    const former = await service.createKey(user.id);
    const refused = await rotate(user.key, former.id, json);
    expectError(refused, { status: 422, code: 'VALIDATION_ERROR', field: 'overlap_seconds' });
    expect((await rowOf(former.id))?.expires_at).toBeNull();
  });
});

describe('revocation', () => {
  test('answers 204 without a body, and the row is gone', async () => {
    const user = await service.createUser();
    const { id } = await service.createKey(user.id);
    const answer = await revoke(user.key, id);
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect(await rowOf(id)).toBeUndefined();
    const { body } = await call<{ data: ApiKey[] }>('GET', keysUrl(), { token: user.key });
    expect(body.data.map((key) => key.id)).not.toContain(id);
    expectError(await revoke(user.key, id), { status: 404, code: 'NOT_FOUND' });
  });

  test('is seen by the very next request on the same node, even if the key was cached', async () => {
    const user = await service.createUser();
    for (let round = 0; round < 50; round++) {
      const { id, key } = await service.createKey(user.id);
      expect((await me(key)).status).toBe(200);
      await revoke(user.key, id);
      expectError(await me(key), { status: 401, code: 'AUTHENTICATION_ERROR' });
    }
  });

  test('a key may revoke itself', async () => {
    const user = await service.createUser();
    const { id, key } = await service.createKey(user.id);
    expect((await revoke(key, id)).status).toBe(204);
    expect((await me(key)).status).toBe(401);
  });

  test('a refusal is not remembered for ever: a key that is put back works again', async () => {
    const user = await service.createUser();
    const { id, key } = await service.createKey(user.id);
    const row = await rowOf(id);
    await revoke(user.key, id);
    expect((await me(key)).status).toBe(401);
    if (row) await service.db.insertInto('api_keys').values(row).execute();
    const other = await service.createKey(user.id);
    await revoke(user.key, other.id);
    await waitFor('the key works again', async () => (await me(key)).status === 200, toldMs);
  });
});
