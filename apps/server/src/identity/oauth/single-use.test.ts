import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { getCode, getTokens, refresh } from '../../testing/samples/oauth-flow.ts';
import { exchange, type RegisteredApp, registerApp } from '../../testing/samples/oauth-tokens.ts';
import { startNode } from '../../testing/service/node.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

// Without a worker, so that the waiting mails can be read.
const service = useTestService({ role: 'api' });
let owner: TestUser;
let user: TestUser;
let app: RegisteredApp;
beforeAll(async () => {
  owner = await service.createUser();
  app = await registerApp(service, owner);
});

const get = (token: string) => call('GET', `${service.url}/v1/projects`, { token });
const twenty = <Result>(work: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: 20 }, () => work()));

async function tellsOfReuse(): Promise<{ alerts: unknown[]; audit: unknown[] }> {
  const alerts = await service.db
    .selectFrom('events')
    .select('data')
    .where('type', '=', 'security.alert')
    .where('account_id', '=', user.id)
    .execute();
  const audit = await service.db
    .selectFrom('audit_log')
    .select(['details', 'address', 'request_id'])
    .where('action', '=', 'oauth_grant.revoked')
    .where('account_id', '=', user.id)
    .execute();
  return { alerts: alerts.map(({ data }) => data), audit };
}

async function expectOneToken(answers: { status: number; body: Record<string, unknown> }[]): Promise<void> {
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status, body }) => status === 400 && body.error === 'invalid_grant')).toHaveLength(19);
}

async function familyOf(userId: string): Promise<number> {
  return (await service.db.selectFrom('oauth_grants').select('id').where('user_id', '=', userId).execute()).length;
}

describe('an authorization code (ASVS 10.4.2)', () => {
  test('gives a token to exactly one of twenty exchanges at once, and the reuse ends that token', async () => {
    user = await service.createUser();
    const code = await getCode(service, app, user);
    const answers = await twenty(() => exchange(service, app, { code }));
    await expectOneToken(answers);
    const { access_token, refresh_token } = answers.find(({ status }) => status === 200)?.body ?? {};
    expectError(await get(String(access_token)), { status: 401, code: 'AUTHENTICATION_ERROR' });
    expect((await refresh(service, app, String(refresh_token))).body.error).toBe('invalid_grant');
    expect(await familyOf(user.id)).toBe(0);
  });

  test('that is used again later ends all that came of it, and the user is told once', async () => {
    user = await service.createUser();
    const code = await getCode(service, app, user);
    const first = await exchange(service, app, { code });
    const token = String(first.body.access_token);
    expect((await get(token)).status).toBe(200);
    for (let again = 0; again < 3; again++) {
      expect(await exchange(service, app, { code })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    }
    expect((await get(token)).status).toBe(401);
    const { alerts, audit } = await tellsOfReuse();
    expect(alerts).toEqual([
      expect.objectContaining({
        alert_type: 'oauth_token_reuse',
        severity: 'high',
        user: { user_id: user.id, username: user.username, email: user.email },
        details: expect.objectContaining({ ip_address: '127.0.0.1', user_agent: 'node' }),
      }),
    ]);
    expect(audit).toEqual([
      {
        details: { app_id: app.id, reason: 'reuse' },
        address: '127.0.0.1',
        request_id: expect.stringMatching(/^req_/),
      },
    ]);
  });

  test('gives a token to exactly one exchange even on two nodes at once', async () => {
    user = await service.createUser();
    const second = await startNode(service.database);
    try {
      const code = await getCode(service, app, user);
      let turn = 0;
      const answers = await twenty(() => exchange(turn++ % 2 ? service : second, app, { code }));
      await expectOneToken(answers);
    } finally {
      await second.close();
    }
  });

  test('is stored as a digest only', async () => {
    const code = await getCode(service, app, await service.createUser());
    const { rows } = await service.pool.query('select r::text as text from oauth_records r');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ text }) => text.includes(code))).toEqual([]);
  });
});

describe('a refresh token (ASVS 10.4.5)', () => {
  test('gives new tokens to exactly one of twenty exchanges at once, and the reuse ends the family', async () => {
    user = await service.createUser();
    const tokens = await getTokens(service, app, user);
    const answers = await twenty(() => refresh(service, app, tokens.refresh_token));
    await expectOneToken(answers);
    const { access_token, refresh_token } = answers.find(({ status }) => status === 200)?.body ?? {};
    for (const token of [tokens.access_token, String(access_token)]) expect((await get(token)).status).toBe(401);
    expect((await refresh(service, app, String(refresh_token))).body.error).toBe('invalid_grant');
    expect(await tellsOfReuse()).toMatchObject({ alerts: [{}], audit: [{}] });
  });

  test('is replaced in each exchange, and using a former one ends the family', async () => {
    user = await service.createUser();
    const first = await getTokens(service, app, user);
    const second = await refresh(service, app, first.refresh_token);
    const third = await refresh(service, app, String(second.body.refresh_token));
    expect(third.status).toBe(200);
    expect((await get(String(third.body.access_token))).status).toBe(200);
    expect((await refresh(service, app, first.refresh_token)).body.error).toBe('invalid_grant');
    expect((await get(String(third.body.access_token))).status).toBe(401);
    expect((await refresh(service, app, String(third.body.refresh_token))).body.error).toBe('invalid_grant');
  });

  test('that is reused ends its own family, not what the same app got in another browser', async () => {
    user = await service.createUser();
    const stolen = await getTokens(service, app, user);
    const other = await getTokens(service, app, user);
    await refresh(service, app, stolen.refresh_token);
    await refresh(service, app, stolen.refresh_token);
    expect((await get(stolen.access_token)).status).toBe(401);
    expect((await get(other.access_token)).status).toBe(200);
    expect((await refresh(service, app, other.refresh_token)).status).toBe(200);
  });
});
