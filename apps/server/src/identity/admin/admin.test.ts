import type { AdminHealth, AdminPlan, AdminUser } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { signedInBrowser, signIn } from '../../testing/clients/browser.ts';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { goodClaims, signJwt } from '../../testing/clients/service-jwt.ts';
import { expectStoredEventsCatalogued } from '../../testing/contract/catalogue-validator.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { startNode } from '../../testing/service/node.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
const forbidden = { status: 403, code: 'AUTHORIZATION_ERROR' } as const;
const unauthenticated = { status: 401, code: 'AUTHENTICATION_ERROR' } as const;
type Page = { data: AdminUser[]; pagination: { total: number } };

let admin: TestUser;
beforeAll(async () => {
  admin = await service.createUser({ isAdmin: true, name: 'The Administrator' });
});
const list = (query = '') => call<Page>('GET', `${service.url}/v1/admin/users${query}`, { token: admin.key });
const patch = (user: TestUser, json: unknown, by = admin) =>
  call<AdminUser>('PATCH', `${service.url}/v1/admin/users/${user.id}`, { token: by.key, json });

describe('the list of accounts', () => {
  test('is searched by name, username and address, and takes % and _ literally', async () => {
    const user = await service.createUser({ email: 'Needle_100%@example.com', name: 'Haystack' });
    await service.createUser({ email: 'needlex100@example.com' });
    for (const search of ['NEEDLE_100%25', 'haystack', '_100']) {
      const { body } = await list(`?search=${search}`);
      expect(body.data.map(({ id }) => id)).toEqual([user.id]);
    }
    expect((await list(`?search=${user.username}`)).body.data[0]?.id).toBe(user.id);
  });

  test('is paged, newest first, and filtered by plan, right and suspension', async () => {
    const pro = await service.createUser({ plan: 'pro' });
    expect((await list('?plan=pro')).body.data.map(({ id }) => id)).toEqual([pro.id]);
    expect((await list('?is_admin=true')).body.data.map(({ id }) => id)).toEqual([admin.id]);
    const first = await list('?limit=1');
    expect(first.body.data.map(({ id }) => id)).toEqual([pro.id]);
    expect(first.headers.get('link')).toContain('rel="next"');
    await patch(pro, { suspended: true });
    expect((await list('?suspended=true')).body.data).toMatchObject([{ id: pro.id, suspended: true }]);
  });

  test('is refused, like everything below /admin, to others and to keys with restricted scopes (ASVS 8.2.1)', async () => {
    const user = await service.createUser();
    const narrow = await service.createKey(admin.id, { scopes: ['read:user', 'write:user'] });
    for (const path of ['users', `users/${user.id}`, 'plans', 'health', 'audit-log']) {
      const url = `${service.url}/v1/admin/${path}`;
      expectError(await call('GET', url, { token: user.key }), forbidden);
      expectError(await call('GET', url, { token: narrow.key }), forbidden);
      expectError(await call('GET', url), unauthenticated);
    }
    expectError(await patch(user, { is_admin: true }, user), forbidden);
    const browser = await signedInBrowser(service.url, admin);
    expect((await browser.ask('GET', '/admin/users')).status).toBe(200);
  });
});

describe('a change by an administrator', () => {
  test('of plan and subscription takes effect at once and is announced', async () => {
    const user = await service.createUser();
    await call('GET', `${service.url}/v1/user`, { token: user.key });
    const expires_at = '2030-01-02T03:04:05.000Z';
    const answer = await patch(user, { plan: 'enterprise', subscription: { status: 'past_due', expires_at } });
    const subscription = { plan: 'enterprise', status: 'past_due', expires_at };
    expect(answer).toMatchObject({ status: 200, body: { subscription } });
    const usage = await call('GET', `${service.url}/v1/user/usage`, { token: user.key });
    expect(usage.body.plan).toBe('enterprise');
    const event = await service.db
      .selectFrom('events')
      .select(['data', 'actor_id'])
      .where('account_id', '=', user.id)
      .where('type', '=', 'user.updated')
      .executeTakeFirst();
    expect(event).toMatchObject({
      actor_id: admin.id,
      data: { changes: { 'subscription.plan': { from: 'free', to: 'enterprise' } } },
    });
  });

  test('can confirm an address that its owner has not confirmed', async () => {
    const user = await service.createUser();
    expect((await patch(user, { email_verified: false })).body).toMatchObject({ email_verified: false });
    expect((await patch(user, { email_verified: true })).body).toMatchObject({ email_verified: true });
    const row = await service.db
      .selectFrom('users')
      .select('email_verified_at')
      .where('id', '=', user.id)
      .executeTakeFirst();
    expect(row?.email_verified_at).toBeInstanceOf(Date);
  });

  test('that repeats the answer of a GET changes nothing', async () => {
    const user = await service.createUser();
    const before = await call<AdminUser>('GET', `${service.url}/v1/admin/users/${user.id}`, { token: admin.key });
    expect((await patch(user, before.body)).body).toEqual(before.body);
  });

  test.each([
    ['plan', { plan: 'gold' }],
    ['subscription.status', { subscription: { status: 'unknown' } }],
    ['subscription.expires_at', { subscription: { expires_at: 'soon' } }],
    ['subscription.expires_at', { subscription: { expires_at: '2030-12-31T23:59:60Z' } }],
    ['is_admin', { is_admin: 'yes' }],
    ['suspended', { suspended: null }],
    ['password', { password: 'x' }],
  ])('with a bad or unknown %s is a 422 that names the field', async (field, json) => {
    const user = await service.createUser();
    expectError(await patch(user, json), { status: 422, code: 'VALIDATION_ERROR', field });
  });

  test('of an account that does not exist is a 404', async () => {
    for (const id of ['usr_00000000000000000000000000', 'x', '%00']) {
      const url = `${service.url}/v1/admin/users/${id}`;
      expectError(await call('PATCH', url, { token: admin.key, json: {} }), { status: 404, code: 'NOT_FOUND' });
      expectError(await call('GET', url, { token: admin.key }), { status: 404, code: 'NOT_FOUND' });
    }
  });

  test('that would leave no administrator is a 409, even if two are made at once', async () => {
    expectError(await patch(admin, { is_admin: false }), { status: 409, code: 'CONFLICT' });
    expectError(await patch(admin, { suspended: true }), { status: 409, code: 'CONFLICT' });
    const second = await service.createUser({ isAdmin: true });
    const answers = await Promise.all([
      patch(second, { is_admin: false }, admin),
      patch(admin, { is_admin: false }, second),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await service.db.updateTable('users').set({ is_admin: true }).where('id', '=', admin.id).execute();
    await service.db.updateTable('users').set({ is_admin: false }).where('id', '=', second.id).execute();
    const { pool } = service;
    await pool.query("select pg_notify('bottega_credentials', '')");
    await waitFor('the administrator is one again', async () => (await list()).status === 200);
  });
});

describe('a suspension (ASVS 7.4.2)', () => {
  test('stops keys, JWTs, sessions and sign-ins on every node as soon as the node is told', async () => {
    const node = await startNode({ connection: service.database.connection });
    const user = await service.createUser();
    const { kid, secret } = await service.registerIssuer(user.id, 'suspended-issuer');
    const claims = goodClaims({ issuer: 'suspended-issuer', userId: user.id, audience: 'bottega' });
    const jwt = await signJwt({ secret, claims, header: { kid } });
    const { cookie } = await signedInBrowser(service.url, user);
    const asks = (url: string) => [
      call('GET', `${url}/v1/user`, { token: user.key }),
      call('GET', `${url}/v1/user`, { token: jwt }),
      call('GET', `${url}/v1/user`, { headers: { cookie } }),
    ];
    // The other node has another secret key and cannot open the service's. The test is about the key and cookie there.
    for (const answer of await Promise.all(asks(service.url))) expect(answer.status).toBe(200);
    const [byKey, , byCookie] = await Promise.all(asks(node.url));
    expect([byKey?.status, byCookie?.status]).toEqual([200, 200]);

    const begun = Date.now();
    expect((await patch(user, { suspended: true })).body).toMatchObject({ suspended: true });
    for (const answer of await Promise.all(asks(service.url))) expectError(answer, unauthenticated);
    await waitFor('the other node refuses too', async () => {
      const [key, , session] = await Promise.all(asks(node.url));
      return key?.status === 401 && session?.status === 401;
    });
    expect(Date.now() - begun).toBeLessThan(5_000);
    expectError(await signIn(service.url, { email: user.email }), forbidden);
    await node.close();

    expect((await patch(user, { suspended: false })).body).toMatchObject({ suspended: false, suspended_at: null });
    for (const answer of await Promise.all(asks(service.url))) expect(answer.status).toBe(200);
    const audit = await service.db
      .selectFrom('audit_log')
      .select(['action', 'actor_id'])
      .where('account_id', '=', user.id)
      .where('action', 'in', ['user.suspended', 'user.reinstated'])
      .orderBy('id')
      .execute();
    expect(audit).toEqual([
      { action: 'user.suspended', actor_id: admin.id },
      { action: 'user.reinstated', actor_id: admin.id },
    ]);
  });
});

describe('the plans', () => {
  test('are listed with the limits of the settings and the number of accounts that have them', async () => {
    const read = async () =>
      (await call<{ data: AdminPlan[] }>('GET', `${service.url}/v1/admin/plans`, { token: admin.key })).body.data;
    const before = await read();
    expect(before.map(({ plan }) => plan)).toEqual(['free', 'pro', 'enterprise']);
    expect(before[0]).toEqual({
      plan: 'free',
      accounts: (await list('?plan=free&limit=1')).body.pagination.total,
      requests: { limit: 1_000_000, window: 3600, burst: { limit: 1_000_000, window: 60 } },
      projects: 1000,
      stored_bytes: 1_073_741_824,
      files: 10_000,
      builds: null,
      apps: 5,
      domains: null,
    });
    expect(before[2]).toMatchObject({ projects: null, stored_bytes: null, files: null });
    await service.createUser({ plan: 'enterprise' });
    expect((await read())[2]?.accounts).toBe((before[2]?.accounts ?? 0) + 1);
  });
});

describe('the health of the service', () => {
  test('covers database, jobs and workers', async () => {
    await waitFor('a worker lives', async () => (await service.pool.query('select 1 from job_workers')).rowCount);
    await service.pool.query("select graphile_worker.add_job('mail:send', '{}', run_at => now() + interval '1 hour')");
    const read = () => call<AdminHealth>('GET', `${service.url}/v1/admin/health`, { token: admin.key });
    const sandboxOf = ({ parts }: AdminHealth) => (parts as { builds: { sandbox: unknown } }).builds.sandbox;
    // The request does not wait long for the first trial of the sandbox.
    const { status, body } = await waitFor('the sandbox was tried', async () => {
      const answer = await read();
      return sandboxOf(answer.body) !== null && answer;
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      checked_at: expect.stringMatching(/Z$/),
      node: { node_version: process.versions.node, draining: false },
      database: { latency_ms: expect.any(Number), connections: { total: expect.any(Number) } },
    });
    expect(body.database.size_bytes).toBeGreaterThan(1_000_000);
    expect(body.workers).toContainEqual({ id: expect.any(String), last_seen: expect.any(String), alive: true });
    expect(body.jobs.find(({ task }) => task === 'mail:send')).toMatchObject({ waiting: 1 });
    expect(body.parts).toMatchObject({
      builds: { pending: 0, building: 0, sandbox: { driver: expect.any(String), memory: expect.any(String) } },
      webhooks: { pending: 0, overdue_seconds: 0, webhooks_disabled: 0, events_set_aside: 0 },
    });
  });

  test('is degraded if a job was given up', async () => {
    await service.pool.query(
      "select graphile_worker.add_job('mail:send', '{}', run_at => now() + interval '1 hour', max_attempts => 1)",
    );
    await service.pool.query('update graphile_worker._private_jobs set attempts = max_attempts where max_attempts = 1');
    const { body } = await call<AdminHealth>('GET', `${service.url}/v1/admin/health`, { token: admin.key });
    expect(body.status).toBe('degraded');
    expect(body.jobs.find(({ task }) => task === 'mail:send')).toMatchObject({ failed: 1 });
  });
});

test('every event of these tests has the data that the catalogue says', async () => {
  await expectStoredEventsCatalogued(service.db);
});
