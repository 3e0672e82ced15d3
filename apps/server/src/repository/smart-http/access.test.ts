import { request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { newApiKey } from '../../identity/auth/api-key-format.ts';
import { expectRateHeaders } from '../../testing/clients/expect-error.ts';
import { type Answer, call } from '../../testing/clients/http-client.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { addCollaborator, createProject, onProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { putFile, useDirectory, useGitClient } from './git-client.fixture.ts';

const service = useTestService({
  settings: { BOTTEGA_DATA_DIR: useDirectory('data'), BOTTEGA_RATE_LIMIT_FREE: '1000000/1000000' },
});
const client = useGitClient(service);
let owner: TestUser;
let viewer: TestUser;
let editor: TestUser;
let stranger: TestUser;
let projectId: string;

beforeAll(async () => {
  [owner, viewer, editor, stranger] = (await Promise.all(Array.from({ length: 4 }, () => service.createUser()))) as [
    TestUser,
    TestUser,
    TestUser,
    TestUser,
  ];
  projectId = (await createProject(service, owner)).id;
  await putFile(service, owner, projectId, ['/README.md', '# one\n']);
  await addCollaborator(service, projectId, viewer, { role: 'viewer' });
  await addCollaborator(service, projectId, editor, { role: 'editor' });
});

const basic = (password: string, user = 'anyone') => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

const ask = (what: 'upload' | 'receive', authorization?: string, id = projectId) =>
  call('GET', `${service.url}/git/${id}.git/info/refs?service=git-${what}-pack`, {
    headers: authorization === undefined ? {} : { authorization },
  });

/** Expects the documented form. A 401 has the challenge that git answers. */
function expectRefusal({ status, headers, body }: Answer, expected: number, code: string): void {
  expect([status, body]).toMatchObject([expected, { error: { code, request_id: headers.get('x-request-id') } }]);
  expectRateHeaders(headers);
  if (status === 401) expect(headers.get('www-authenticate')).toBe('Basic realm="bottega", charset="UTF-8"');
}

describe('git without a credential', () => {
  test('is asked for one, which does not reduce the budget of its address', async () => {
    const before = (await ask('upload')).headers.get('x-ratelimit-remaining');
    const answer = await ask('receive');
    expectRefusal(answer, 401, 'AUTHENTICATION_ERROR');
    expect(answer.headers.get('x-ratelimit-remaining')).toBe(before);
  });

  test('gets the same answer for a project that does not exist', async () => {
    expect((await ask('upload', undefined, 'prj_00000000000000000000000000')).status).toBe(401);
  });
});

test.each([
  ['an unknown key', () => basic(newApiKey())],
  ['no key at all', () => basic('secret')],
  ['an empty password', () => basic('')],
  ['broken base64', () => 'Basic %%%'],
])('%s is a 401 that git understands', async (_what, authorization) => {
  expectRefusal(await ask('upload', authorization()), 401, 'AUTHENTICATION_ERROR');
});

test('the user name may be anything, but a password is not accepted elsewhere as Basic authentication', async () => {
  for (const user of ['', 'x', 'ada@example.com', 'ünï']) {
    expect((await ask('upload', basic(owner.key, user))).status).toBe(200);
  }
  const elsewhere = await call('GET', `${service.url}/v1/projects`, { headers: { authorization: basic(owner.key) } });
  expect(elsewhere.status).toBe(401);
});

test('a stranger gets a 404 for clone and push, and git shows the reason', async () => {
  expectRefusal(await ask('upload', basic(stranger.key)), 404, 'NOT_FOUND');
  expectRefusal(await ask('receive', basic(stranger.key)), 404, 'NOT_FOUND');
  const { ok, stderr } = await client.tryClone(projectId, stranger.key);
  expect([ok, stderr]).toEqual([false, expect.stringContaining('remote: Project not found')]);
});

test('a viewer can clone, but a push is a 403 with its reason', async () => {
  const clone = await client.clone(projectId, viewer);
  await clone.commit('No right', { 'x.txt': 'x' });
  const { ok, stderr } = await clone.tryGit('push');
  expect([ok, stderr]).toEqual([
    false,
    expect.stringContaining('remote: You do not have permission to write to this project'),
  ]);
  expectRefusal(await ask('receive', basic(viewer.key)), 403, 'AUTHORIZATION_ERROR');
  const directly = await call('POST', `${service.url}/git/${projectId}.git/git-receive-pack`, {
    headers: { authorization: basic(viewer.key), 'content-type': 'application/x-git-receive-pack-request' },
    body: '0000',
  });
  expectRefusal(directly, 403, 'AUTHORIZATION_ERROR');
});

test('an editor can push', async () => {
  const clone = await client.clone(projectId, editor);
  await clone.commit('By an editor', { 'editor.txt': 'x' });
  await clone.git('push', '--quiet');
});

test('a key with read access can clone but not push, and a key for something else can do neither', async () => {
  const reading = (await service.createKey(owner.id, { scopes: ['read:files'] })).key;
  expect((await ask('upload', basic(reading))).status).toBe(200);
  expectRefusal(await ask('receive', basic(reading)), 403, 'AUTHORIZATION_ERROR');
  const other = (await service.createKey(owner.id, { scopes: ['write:projects'] })).key;
  expectRefusal(await ask('upload', basic(other)), 403, 'AUTHORIZATION_ERROR');
  const writing = (await service.createKey(owner.id, { scopes: ['write:files'] })).key;
  expect((await ask('receive', basic(writing))).status).toBe(200);
});

test('an archived project can be cloned, and a push is refused with the reason', async () => {
  const { id } = await createProject(service, owner);
  await putFile(service, owner, id, ['/a.txt', 'a']);
  const clone = await client.clone(id, owner);
  await clone.commit('Too late', { 'b.txt': 'b' });
  expect((await onProject(service, owner, id, ['PATCH', { status: 'archived' }])).status).toBe(200);
  const { ok, stderr } = await clone.tryGit('push');
  expect([ok, stderr]).toEqual([false, expect.stringContaining('remote: The project is archived')]);
  expect((await client.tryClone(id, owner.key)).ok).toBe(true);
});

test('a project without version control has no repository', async () => {
  const { id } = await createProject(service, owner, { settings: { version_control: false } });
  expectRefusal(await ask('upload', basic(owner.key), id), 404, 'NOT_FOUND');
  expectRefusal(await ask('receive', basic(owner.key), id), 404, 'NOT_FOUND');
});

test('a public project can be cloned by every user, but not pushed to', async () => {
  const { id } = await createProject(service, owner, { settings: { public: true } });
  expect((await client.tryClone(id, stranger.key)).ok).toBe(true);
  expectRefusal(await ask('receive', basic(stranger.key), id), 403, 'AUTHORIZATION_ERROR');
});

test('a push whose key is revoked while it arrives changes nothing', async () => {
  const json = { name: 'doomed' };
  await call('POST', `${service.url}/v1/projects/${projectId}/branches`, { token: owner.key, json });
  const { rows } = await service.pool.query("select encode(sha, 'hex') as sha from git_refs where name = $1", [
    'refs/heads/doomed',
  ]);
  const command = `${rows[0].sha} ${'0'.repeat(40)} refs/heads/doomed\0report-status delete-refs\n`;
  const packet = `${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`;
  const { id, key } = await service.createKey(owner.id);
  const sent = request(`${service.url}/git/${projectId}.git/git-receive-pack`, {
    method: 'POST',
    headers: { authorization: basic(key), 'content-type': 'application/x-git-receive-pack-request' },
  });
  const answer = new Promise<string>((resolve, reject) => {
    sent.on('response', (response) => resolve(readText(response)));
    sent.on('error', reject);
  });
  sent.write(packet.slice(0, 20));
  await waitFor('the service knows who pushes', async () => {
    const used = service.db.selectFrom('api_keys').select('last_used_at').where('id', '=', id);
    return (await used.executeTakeFirst())?.last_used_at;
  });
  await call('DELETE', `${service.url}/v1/user/api-keys/${id}`, { token: owner.key });
  sent.end(packet.slice(20));
  expect(await answer).toContain('ng refs/heads/doomed');
  expect((await ask('upload', basic(owner.key))).text).toContain('refs/heads/doomed');
});
