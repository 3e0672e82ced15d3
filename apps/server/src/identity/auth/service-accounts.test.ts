import type { CreateServiceAccount, ServiceAccount } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { signedInBrowser, signIn, testPassword } from '../../testing/clients/browser.ts';
import { expectError, messageOf } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { goodClaims, signJwt } from '../../testing/clients/service-jwt.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { addCollaborator, createProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
const unauthenticated = { status: 401, code: 'AUTHENTICATION_ERROR' } as const;
const forbidden = { status: 403, code: 'AUTHORIZATION_ERROR' } as const;
const accountsUrl = () => `${service.url}/v1/user/service-accounts`;
let issuers = 0;

const create = (token: string, json: Partial<CreateServiceAccount>) =>
  call<ServiceAccount>('POST', accountsUrl(), { token, json: { name: 'Release robot', ...json } });
const listOf = async (token: string) =>
  (await call<{ data: ServiceAccount[] }>('GET', accountsUrl(), { token })).body.data;

/** Creates an owner with a project, a service account for it, and a service that signs. */
async function setUp(input: Partial<CreateServiceAccount> = {}) {
  const owner = await service.createUser({ name: 'Ada' });
  const project = await createProject(service, owner);
  const { body: account } = await create(owner.key, { projects: [project.id], ...input });
  const issuer = `robots-${++issuers}`;
  const { id, kid, secret } = await service.registerIssuer(owner.id, issuer);
  const sign = (sub: string, claims: object = {}) =>
    signJwt({
      secret,
      claims: { ...goodClaims({ issuer, userId: sub, audience: 'bottega' }), ...claims },
      header: { kid },
    });
  return { owner, project, account, serviceId: id, sign, token: await sign(account.id) };
}
const readProject = (id: string, token: string) => call('GET', `${service.url}/v1/projects/${id}`, { token });
const putFile = (id: string, token: string) =>
  call('PUT', `${service.url}/v1/projects/${id}/files`, { token, json: { path: '/a.txt', content: 'a' } });

describe('a service account', () => {
  test('is made with scopes and projects, listed without a secret, and can be the sub of a JWT', async () => {
    const { owner, project, account, token } = await setUp({ scopes: ['read:projects'] });
    expect(account).toEqual({
      id: expect.stringMatching(/^sva_[0-9a-z]{26}$/),
      name: 'Release robot',
      user_id: owner.id,
      scopes: ['read:projects'],
      projects: [project.id],
      created_at: expect.stringMatching(/Z$/),
    });
    expect(await listOf(owner.key)).toEqual([account]);
    expect((await readProject(project.id, token)).body.id).toBe(project.id);
  });

  test('acts in its projects only, and cannot use what is its owner’s own', async () => {
    const { owner, project, token } = await setUp();
    const other = await createProject(service, owner);
    expect((await readProject(project.id, token)).status).toBe(200);
    expectError(await readProject(other.id, token), { status: 404, code: 'NOT_FOUND' });
    for (const path of [
      '/v1/user',
      '/v1/projects',
      '/v1/user/api-keys',
      '/v1/user/service-accounts',
      '/api/webhooks',
    ]) {
      expectError(await call('GET', `${service.url}${path}`, { token }), forbidden);
    }
    const json = { name: 'x' };
    expectError(await call('POST', `${service.url}/v1/user/api-keys`, { token, json }), forbidden);
    expectError(await call('POST', `${service.url}/v1/projects`, { token, json }), forbidden);
    expectError(await call('GET', `${service.url}/v1/auth/session`, { token }), forbidden);
    const sessions = `${service.url}/v1/collaboration/sessions`;
    expectError(await call('POST', sessions, { token, json: { project_id: project.id } }), forbidden);
  });

  test('has no rights of an administrator, whoever owns it', async () => {
    const { owner, token } = await setUp();
    await service.pool.query('update users set is_admin = true where id = $1', [owner.id]);
    expectError(await call('GET', `${service.url}/v1/admin/users`, { token }), forbidden);
  });

  test('has the scopes that it shares with its JWT, which is refused if there are none', async () => {
    const { project, account, sign } = await setUp({ scopes: ['read:projects', 'write:files'] });
    const narrowed = await sign(account.id, { scope: 'read:files write:projects' });
    expect((await readProject(project.id, narrowed)).status).toBe(200);
    expectError(await putFile(project.id, narrowed), forbidden);
    expect((await putFile(project.id, await sign(account.id))).status).toBe(201);
    const foreign = await readProject(project.id, await sign(account.id, { scope: 'write:webhooks' }));
    expectError(foreign, unauthenticated);
    expect(foreign.headers.get('www-authenticate')).toBe('Bearer realm="bottega"');
  });

  test('never has more rights than its owner has at that moment', async () => {
    const { owner, account, sign } = await setUp();
    const host = await service.createUser();
    const shared = await createProject(service, host);
    await addCollaborator(service, shared.id, owner, { role: 'editor' });
    const { body } = await create(owner.key, { projects: [shared.id] });
    const token = await sign(body.id);
    expect((await putFile(shared.id, token)).status).toBe(201);
    await service.pool.query("update collaborators set permissions = '{read}' where user_id = $1", [owner.id]);
    expectError(await putFile(shared.id, token), forbidden);
    await service.pool.query('delete from collaborators where user_id = $1', [owner.id]);
    expectError(await readProject(shared.id, token), { status: 404, code: 'NOT_FOUND' });
    expect(account.user_id).toBe(owner.id);
  });
});

describe('the sub of a JWT', () => {
  test.each<[string, (others: string) => string]>([
    ['another user’s service account', (others) => others],
    ['an unknown one', () => 'sva_00000000000000000000000000'],
    ['no id', () => "sva_' or true"],
    ['empty', () => ''],
  ])('that is %s is a 401 in the documented form', async (_what, subOf) => {
    const { project, sign } = await setUp();
    const others = await setUp();
    const answer = await readProject(project.id, await sign(subOf(others.account.id)));
    expectError(answer, unauthenticated);
    expect(messageOf(answer)).toContain('sub is neither the user who registered the issuer nor one of that user');
  });
});

describe('a service account ends', () => {
  test('when its owner removes it; nobody else can, and removing it again is a 404', async () => {
    const { owner, project, account, token } = await setUp();
    expect((await readProject(project.id, token)).status).toBe(200);
    const remove = (by: TestUser) => call('DELETE', `${accountsUrl()}/${account.id}`, { token: by.key });
    expect((await remove(await service.createUser())).status).toBe(404);
    expect((await remove(owner)).status).toBe(204);
    expectError(await readProject(project.id, token), unauthenticated);
    expect((await remove(owner)).status).toBe(404);
  });

  test('when the service that signed its JWT is removed', async () => {
    const { owner, project, serviceId, token } = await setUp();
    expect((await readProject(project.id, token)).status).toBe(200);
    await call('DELETE', `${service.url}/v1/user/services/${serviceId}`, { token: owner.key });
    expectError(await readProject(project.id, token), unauthenticated);
  });

  test('while its owner is suspended', async () => {
    const { owner, project, token } = await setUp();
    const admin = await signedInBrowser(service.url, await service.createUser({ isAdmin: true }));
    expect((await readProject(project.id, token)).status).toBe(200);
    expect((await admin.ask('PATCH', `/admin/users/${owner.id}`, { json: { suspended: true } })).status).toBe(200);
    expectError(await readProject(project.id, token), unauthenticated);
  });

  test('with its owner’s account', async () => {
    const { owner, project, token } = await setUp();
    expect((await readProject(project.id, token)).status).toBe(200);
    const browser = await signedInBrowser(service.url, owner);
    await browser.ask('POST', '/auth/delete-account', { json: { password: testPassword } });
    expectError(await readProject(project.id, token), unauthenticated);
    const { rows } = await service.pool.query('select 1 from service_accounts where user_id = $1', [owner.id]);
    expect(rows).toEqual([]);
  });
});

describe('the owner of a service account', () => {
  test('cannot give it scopes that their credential does not have, nor a longer life', async () => {
    const user = await service.createUser();
    const projects = ['prj_00000000000000000000000000'];
    const narrow = await service.createKey(user.id, { scopes: ['write:user', 'read:files'] });
    expectError(await create(narrow.key, { projects, scopes: ['write:files'] }), forbidden);
    expectError(await create(narrow.key, { projects, scopes: [] }), forbidden);
    expect((await create(narrow.key, { projects })).body.scopes).toEqual(['write:user', 'read:files']);
    const brief = await service.createKey(user.id, { expiresAt: new Date(Date.now() + 60_000) });
    expectError(await create(brief.key, { projects }), forbidden);
  });

  test.each([
    ['name', { name: '' }],
    ['projects', { projects: [] }],
    ['projects.0', { projects: ['prj_1'] }],
    ['scopes.0', { scopes: ['read:everything'] }],
  ])('is told of a bad %s', async (field, json) => {
    const user = await service.createUser();
    const answer = await create(user.key, { projects: ['prj_00000000000000000000000000'], ...json } as never);
    expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field });
  });

  test('can have a hundred of them', async () => {
    const user = await service.createUser();
    await service.pool.query(
      `insert into service_accounts (id, user_id, name, projects)
       select 'sva_' || lpad(n::text, 26, '0'), $1, 'robot', '{}' from generate_series(1, 99) as n`,
      [user.id],
    );
    const projects = ['prj_00000000000000000000000000'];
    const answers = await Promise.all([1, 2, 3].map(() => create(user.key, { projects })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
  });
});

test('a service account has no password, and nobody can sign in to it', async () => {
  const { account } = await setUp();
  expectError(await signIn(service.url, { email: `${account.id}@service-accounts.invalid` }), unauthenticated);
});

test('commits, events and the audit log name the service account and its owner', async () => {
  const { owner, project, account, token } = await setUp();
  expect((await putFile(project.id, token)).status).toBe(201);
  const { rows: objects } = await service.pool.query(
    'select author_name, author_email from git_commits where project_id = $1 order by generation desc limit 1',
    [project.id],
  );
  expect(objects).toEqual([{ author_name: 'Release robot', author_email: `${account.id}@service-accounts.invalid` }]);
  const events = await service.db
    .selectFrom('events')
    .select(['actor_id', 'service_account_id'])
    .where('project_id', '=', project.id)
    .where('type', '=', 'file.created')
    .execute();
  expect(events).toEqual([{ actor_id: owner.id, service_account_id: account.id }]);
  expect((await call('DELETE', `${service.url}/v1/projects/${project.id}`, { token })).status).toBe(200);
  const log = await waitFor('the audit log', async () => {
    const { body } = await call<{ data: object[] }>('GET', `${service.url}/v1/user/audit-log`, { token: owner.key });
    return body.data;
  });
  expect(log).toContainEqual(
    expect.objectContaining({
      action: 'project.deleted',
      actor_id: owner.id,
      credential: { kind: 'service_account', id: account.id },
    }),
  );
});
