import { beforeAll, describe, expect, test } from 'vitest';
import { getTokens, refresh } from '../../testing/samples/oauth-flow.ts';
import { type RegisteredApp, registerApp } from '../../testing/samples/oauth-tokens.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { oauthAdapter, recordDigest } from './adapter.ts';
import { deleteExpiredOauth } from './records.sql.ts';

const service = useTestService({ role: 'api' });
let user: TestUser;
let app: RegisteredApp;
beforeAll(async () => {
  user = await service.createUser();
  app = await registerApp(service, user);
});

const adapterFor = (model: string) =>
  oauthAdapter({
    db: service.db,
    documents: null,
    resources: () => ['urn:bottega:api'],
    familyEnded: async () => undefined,
  })(model);
const count = async (table: 'oauth_records' | 'oauth_grants' | 'oauth_app_secrets') =>
  Number((await service.pool.query(`select count(*) from ${table}`)).rows[0].count);

describe('a record of the provider', () => {
  test('is found by its id and comes back unchanged, though the id is stored as a digest only', async () => {
    const interactions = adapterFor('Interaction');
    const payload = {
      jti: 'the-id',
      kind: 'Interaction',
      returnTo: 'https://bottega.example.com/oauth/authorize/the-id',
      session: { accountId: user.id, uid: 'session-uid', cookie: 'session-id' },
      params: { state: 'the state' },
    };
    await interactions.upsert('the-id', payload, 60);
    const { session, ...rest } = payload;
    expect(await interactions.find('the-id')).toEqual({
      ...rest,
      session: { accountId: session.accountId, uid: session.uid },
    });
    const { rows } = await service.pool.query(`select r::text as text from oauth_records r`);
    expect(rows.map(({ text }) => text).join()).not.toMatch(/the-id|session-id/);
    expect(await adapterFor('Session').find('the-id')).toBeUndefined();
    await interactions.destroy('the-id');
    expect(await interactions.find('the-id')).toBeUndefined();
  });

  test('can be used once, however many try, and is marked as used', async () => {
    const codes = adapterFor('AuthorizationCode');
    await codes.upsert('a-code', { kind: 'AuthorizationCode' }, 60);
    expect(await codes.find('a-code')).not.toHaveProperty('consumed');
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => codes.consume('a-code')));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of tries)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ error: 'invalid_grant' });
    expect(await codes.find('a-code')).toMatchObject({ consumed: true });
    await expect(codes.consume('never-there')).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('is not found once it has expired', async () => {
    const sessions = adapterFor('Session');
    await sessions.upsert('a-session', { kind: 'Session', uid: 'a-uid' }, 60);
    expect(await sessions.findByUid('a-uid')).toMatchObject({ uid: 'a-uid' });
    await service.pool.query('update oauth_records set expires_at = now() where digest = $1', [
      recordDigest('Session', 'a-session'),
    ]);
    expect(await sessions.find('a-session')).toBeUndefined();
    expect(await sessions.findByUid('a-uid')).toBeUndefined();
  });

  test('does not begin a token family if the consent is gone', async () => {
    const grants = adapterFor('Grant');
    const payload = { accountId: user.id, clientId: app.id, resources: { 'urn:bottega:api': 'read:user' } };
    await expect(grants.upsert('grt_00000000000000000000000009', payload, 60)).rejects.toMatchObject({
      error: 'access_denied',
    });
  });
});

describe('the cleaning of records', () => {
  test('deletes what has expired, and keeps what reveals a reuse', async () => {
    await service.pool.query('delete from oauth_records; delete from oauth_grants');
    const tokens = await getTokens(service, app, user);
    const rotated = await refresh(service, app, tokens.refresh_token);
    expect(rotated.status).toBe(200);
    await deleteExpiredOauth(service.db);
    expect(await count('oauth_grants')).toBe(1);
    // The old refresh token is still known, so its theft would be noticed.
    expect((await refresh(service, app, tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect(await count('oauth_grants')).toBe(0);

    await getTokens(service, app, user);
    await service.pool.query(`update oauth_records set expires_at = now() - interval '1 s'`);
    await deleteExpiredOauth(service.db);
    expect(await count('oauth_records')).toBe(0);
    // A grant has a day to issue something.
    expect(await count('oauth_grants')).toBe(1);
    await service.pool.query(`update oauth_grants set created_at = now() - interval '2 days'`);
    await deleteExpiredOauth(service.db);
    expect(await count('oauth_grants')).toBe(0);
  });

  test('deletes tokens whose family is gone, and secrets that were rotated away', async () => {
    await getTokens(service, app, user);
    await service.pool.query('delete from oauth_grants');
    await service.pool.query(
      `insert into oauth_app_secrets (app_id, digest, hint, expires_at) values ($1, '\\x00', 'x', now() - interval '1 s')`,
      [app.id],
    );
    const secrets = await count('oauth_app_secrets');
    await deleteExpiredOauth(service.db);
    const { rows } = await service.pool.query('select from oauth_records where grant_id is not null');
    expect(rows).toEqual([]);
    expect(await count('oauth_app_secrets')).toBe(secrets - 1);
  });
});
