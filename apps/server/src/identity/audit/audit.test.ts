import type { AuditEntry } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { signedInBrowser } from '../../testing/clients/browser.ts';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { issueAccessToken } from '../../testing/samples/oauth-tokens.ts';
import { createProject, onProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { deleteEntriesOlderThan } from './index.ts';

const service = useTestService();
type Page = { data: AuditEntry[]; pagination: { total: number; page: number; limit: number; total_pages: number } };

const log = (user: TestUser, query = '') =>
  call<Page>('GET', `${service.url}/v1/user/audit-log${query}`, { token: user.key });
const actionsOf = async (user: TestUser) => (await log(user)).body.data.map(({ action }) => action);

describe('the log of an account', () => {
  test('tells who did what with which credential, from where and in which request (ASVS 16.2.1)', async () => {
    const user = await service.createUser();
    const made = await call('POST', `${service.url}/v1/user/api-keys`, {
      token: user.key,
      json: { name: 'CI', scopes: ['read:files'] },
      headers: { 'user-agent': 'a script/1.0' },
    });
    const { data, pagination } = (await log(user, '?action=api_key.created&limit=1')).body;
    expect(pagination).toEqual({ page: 1, limit: 1, total: 2, total_pages: 2 });
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^aud_/),
        action: 'api_key.created',
        account_id: user.id,
        actor_id: user.id,
        credential: { kind: 'api_key', id: expect.stringMatching(/^key_/) },
        address: '127.0.0.1',
        user_agent: 'a script/1.0',
        request_id: made.headers.get('x-request-id'),
        subject_id: made.body.id,
        account_name: 'Test User',
        actor_name: 'Test User',
        subject_name: null,
        details: { name: 'CI', scopes: ['read:files'] },
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect(JSON.stringify(data)).not.toContain(String(made.body.key));
  });

  test('names accounts by their present names, and shows administrators the project too', async () => {
    const [admin, user] = [await service.createUser({ isAdmin: true }), await service.createUser({ name: 'Ada' })];
    const { body: project } = await call('POST', `${service.url}/v1/projects`, {
      token: user.key,
      json: { name: 'Before' },
    });
    const url = `${service.url}/v1/projects/${project.id}`;
    await call('DELETE', url, { token: user.key });
    await call('POST', `${url}/restore`, { token: user.key });
    await call('PATCH', url, { token: user.key, json: { name: 'After' } });
    const names = { account_name: 'Ada', actor_name: 'Ada' };
    const own = (await log(user, '?action=project.deleted')).body.data;
    expect(own).toMatchObject([{ ...names, subject_name: null, details: { name: 'Before' } }]);
    const query = `?action=project.deleted&account_id=${user.id}`;
    const all = await call('GET', `${service.url}/v1/admin/audit-log${query}`, { token: admin.key });
    expect(all.body.data).toMatchObject([{ ...names, subject_name: 'After' }]);
  });

  test('names the app that acted for its user, even after its tokens are gone', async () => {
    const user = await service.createUser();
    const { token, appId, grantId } = await issueAccessToken(service, user.id, ['write:projects']);
    const { id } = await createProject(service, user);
    await call('DELETE', `${service.url}/v1/projects/${id}`, { token });
    const [entry] = (await log(user, '?action=project.deleted')).body.data;
    expect(entry).toMatchObject({ credential: { kind: 'oauth', id: grantId }, details: { app_id: appId } });
  });

  test('has the webhooks that were made, changed, removed or given another secret, but not the secrets', async () => {
    const user = await service.createUser();
    const { token } = { token: user.key };
    const webhooks = `${service.url}/api/webhooks`;
    const json = { name: 'Chat', url: 'https://chat.example.com/hooks/T0/secret', events: ['*'] };
    const { body } = await call('POST', webhooks, { token, json });
    const one = `${webhooks}/${body.webhook_id}`;
    await call('PUT', one, { token, json: { name: 'Chat room' } });
    await call('POST', `${one}/rotate-secret`, { token });
    await call('PUT', one, { token, json: { secret: 'another secret, longer than it was' } });
    await call('DELETE', one, { token });
    const { data } = (await log(user)).body;
    expect(data.map(({ action }) => action).filter((action) => action.startsWith('webhook.'))).toEqual(
      ['deleted', 'rotated', 'rotated', 'updated', 'created'].map((what) => `webhook.${what}`),
    );
    expect(data[0]).toMatchObject({
      subject_id: body.webhook_id,
      details: { name: 'Chat room', host: 'chat.example.com', project_id: null },
    });
    expect(JSON.stringify(data)).not.toMatch(/hooks|another secret/);
  });

  test('has the credentials that were made, replaced and revoked', async () => {
    const user = await service.createUser();
    const keys = `${service.url}/v1/user/api-keys`;
    const services = `${service.url}/v1/user/services`;
    const { token } = { token: user.key };
    const key = await call('POST', keys, { token, json: { name: 'x' } });
    const rotated = await call('POST', `${keys}/${key.body.id}/rotate`, { token });
    await call('DELETE', `${keys}/${rotated.body.id}`, { token });
    const signer = await call('POST', services, { token, json: { issuer: 'audited' } });
    await call('POST', `${services}/${signer.body.id}/rotate`, { token });
    await call('DELETE', `${services}/${signer.body.id}`, { token });
    expect(await actionsOf(user)).toEqual([
      ...['service.deleted', 'service.rotated', 'service.created', 'api_key.revoked', 'api_key.rotated'],
      ...['api_key.created', 'api_key.created', 'user.registered'],
    ]);
  });

  test('has projects that were deleted, restored or opened to everyone', async () => {
    const user = await service.createUser();
    const { id } = await createProject(service, user);
    await onProject(service, user, id, ['PATCH', { settings: { public: true } }]);
    await onProject(service, user, id, ['DELETE']);
    await call('POST', `${service.url}/v1/projects/${id}/restore`, { token: user.key });
    const { data } = (await log(user, '?limit=3')).body;
    expect(data.map(({ action, subject_id }) => [action, subject_id])).toEqual([
      ['project.restored', id],
      ['project.deleted', id],
      ['project.made_public', id],
    ]);
  });

  test('has good and bad sign-ins, and the session that acted', async () => {
    const user = await service.createUser();
    await call('POST', `${service.url}/v1/auth/sign-in`, { json: { email: user.email, password: 'wrong' } });
    const browser = await signedInBrowser(service.url, user);
    await browser.ask('POST', '/user/api-keys', { json: { name: 'By session' } });
    const { data } = (await log(user, '?limit=3')).body;
    expect(data.map(({ action }) => action)).toEqual(['api_key.created', 'user.login', 'user.login_failed']);
    expect(data[0]?.credential).toEqual({ kind: 'session', id: browser.session.id });
    expect(data[2]).toMatchObject({ actor_id: null, details: { reason: 'password' } });
  });

  test('can be read by nobody else, and has no actions that were refused', async () => {
    const [user, other] = [await service.createUser(), await service.createUser()];
    await call('DELETE', `${service.url}/v1/user/api-keys/key_00000000000000000000000000`, { token: user.key });
    expect(await actionsOf(user)).toEqual(['api_key.created', 'user.registered']);
    expect((await log(other)).body.data.every(({ account_id }) => account_id === other.id)).toBe(true);
  });

  test('is filtered by time and action, and a bad filter is a 400', async () => {
    const user = await service.createUser();
    const future = new Date(Date.now() + 60_000).toISOString();
    expect((await log(user, `?since=${future}`)).body.pagination.total).toBe(0);
    expect((await log(user, `?until=${future}`)).body.pagination.total).toBe(2);
    for (const query of [
      '?action=nothing',
      '?since=yesterday',
      '?until=2030-12-31T23:59:60Z',
      '?limit=101',
      '?page=0',
    ]) {
      expectError(await log(user, query), { status: 400, code: 'VALIDATION_ERROR' });
    }
  });
});

describe('the log of all accounts', () => {
  const whole = (user: TestUser, query = '') =>
    call<Page>('GET', `${service.url}/v1/admin/audit-log${query}`, { token: user.key });

  test('can be read by an administrator, by account and by actor', async () => {
    const [admin, user] = [await service.createUser({ isAdmin: true }), await service.createUser()];
    await call('PATCH', `${service.url}/v1/admin/users/${user.id}`, { token: admin.key, json: { plan: 'pro' } });
    const byActor = (await whole(admin, `?actor_id=${admin.id}`)).body;
    expect(byActor.data).toMatchObject([
      {
        action: 'user.changed_by_admin',
        account_id: user.id,
        details: { changes: { 'subscription.plan': { from: 'free', to: 'pro' } } },
      },
    ]);
    expect((await whole(admin, `?account_id=${user.id}`)).body.pagination.total).toBe(3);
    expectError(await whole(user), { status: 403, code: 'AUTHORIZATION_ERROR' });
    const narrow = await service.createKey(admin.id, { scopes: ['write:user'] });
    expectError(await whole({ ...admin, key: narrow.key }), { status: 403, code: 'AUTHORIZATION_ERROR' });
  });
});

describe('an entry (ASVS 16.4.2)', () => {
  test.each([
    "update audit_log set details = '{}'",
    'delete from audit_log',
    'truncate audit_log',
    "begin; set local bottega.audit_cleaning = 'on'; delete from audit_log; commit",
  ])('cannot be changed or deleted: %s', async (statement) => {
    await service.createUser();
    await expect(service.pool.query(statement)).rejects.toThrow('append-only');
    await service.pool.query('rollback');
  });

  test('is kept for as long as the setting says', async () => {
    const user = await service.createUser();
    await service.pool.query('alter table audit_log disable trigger user');
    await service.pool.query(
      "update audit_log set created_at = now() - interval '100 days' where account_id = $1 and action = 'user.registered'",
      [user.id],
    );
    await service.pool.query('alter table audit_log enable trigger user');
    await deleteEntriesOlderThan(service.db, 101);
    expect(await actionsOf(user)).toHaveLength(2);
    await deleteEntriesOlderThan(service.db, 99);
    expect(await actionsOf(user)).toEqual(['api_key.created']);
  });
});
