import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { addCollaborator, createProject, onProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { type Clone, filesByRest, putFile, useDirectory, useGitClient } from '../smart-http/git-client.fixture.ts';
import { useForeignServer } from '../smart-http/git-server.fixture.ts';

const service = useTestService({
  settings: { BOTTEGA_DATA_DIR: useDirectory('data'), BOTTEGA_PUSH_PACK_LIMIT: '3000000' },
});
const client = useGitClient(service);
const foreign = useForeignServer(client.root);
let owner: TestUser;
let source: Clone;
let url: string;

beforeAll(async () => {
  owner = await service.createUser();
});

beforeEach(async () => {
  source = await client.repository();
  await source.commit('First', { 'a.txt': 'a', 'src/b.txt': 'b' });
  await source.git('tag', '-a', '-m', 'One', 'v1');
  url = `${foreign.url}/${source.directory.split('/').at(-1)}`;
});

async function standing(projectId: string) {
  return service.db
    .selectFrom('projects')
    .select(['repository_status as status', 'repository_error as error', 'repository_last_sync as at'])
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow();
}

async function settled(projectId: string) {
  return waitFor('the import is over', async () => {
    const now = await standing(projectId);
    return now.status === 'syncing' ? null : now;
  });
}

const imports = async (): Promise<unknown[]> =>
  (await service.pool.query("select from graphile_worker.jobs where task_identifier = 'repositories:import'")).rows;

const sync = (projectId: string, user = owner) =>
  call('POST', `${service.url}/v1/projects/${projectId}/repository/sync`, { token: user.key });

async function imported(repository: Record<string, string>): Promise<string> {
  return (await createProject(service, owner, { repository })).id;
}

describe('a project created with the address of a repository', () => {
  test('gets its files, history and tags', async () => {
    const id = await imported({ url });
    expect(await settled(id)).toMatchObject({ status: 'idle', error: null, at: expect.any(Date) });
    expect([...(await filesByRest(service, owner, id)).keys()].sort()).toEqual(['/a.txt', '/src/b.txt']);
    const clone = await client.clone(id, owner);
    expect(await clone.git('rev-parse', 'main', 'v1')).toBe(await source.git('rev-parse', 'main', 'v1'));
    const made = await service.db.selectFrom('events').select('actor_id').where('project_id', '=', id).execute();
    expect(new Set(made.map(({ actor_id }) => actor_id))).toEqual(new Set([owner.id]));
  });

  test('follows the repository when asked to, even if it is ahead itself', async () => {
    const id = await imported({ url });
    await settled(id);
    const second = await source.commit('Second', { 'c.txt': 'c' });
    expect([(await sync(id)).status, (await settled(id)).status]).toEqual([202, 'idle']);
    const clone = await client.clone(id, owner);
    expect(await clone.git('rev-parse', 'main')).toBe(second);
    await putFile(service, owner, id, ['/own.txt', 'own']);
    await sync(id);
    expect(await settled(id)).toMatchObject({ status: 'idle', error: null });
    expect([...(await filesByRest(service, owner, id)).keys()]).toContain('/own.txt');
  });

  test('reports a failure if both have changed, and keeps its own files', async () => {
    const id = await imported({ url });
    await settled(id);
    await putFile(service, owner, id, ['/own.txt', 'own']);
    await source.commit('Theirs', { 'theirs.txt': 't' });
    await sync(id);
    expect(await settled(id)).toMatchObject({ status: 'failed', error: expect.stringContaining('diverged') });
    expect([...(await filesByRest(service, owner, id)).keys()]).toContain('/own.txt');
  });

  test('refuses new commits of the repository if main changes only by merge requests', async () => {
    const id = await imported({ url });
    await settled(id);
    const rule = { pattern: 'main', no_direct_push: true };
    expect((await onProject(service, owner, `${id}/branch-rules`, ['POST', rule])).status).toBe(201);
    await source.commit('Second', { 'c.txt': 'c' });
    await sync(id);
    expect(await settled(id)).toMatchObject({ status: 'failed', error: expect.stringContaining('by merge requests') });
    expect([...(await filesByRest(service, owner, id)).keys()]).not.toContain('/c.txt');
  });

  test('uses the branch that was named', async () => {
    await source.git('checkout', '--quiet', '-b', 'next');
    const next = await source.commit('Next', { 'n.txt': 'n' });
    const id = await imported({ url, branch: 'next' });
    await settled(id);
    expect(await (await client.clone(id, owner)).git('rev-parse', 'main')).toBe(next);
    await source.git('checkout', '--quiet', 'main');
  });
});

describe('Platform API, POST /projects: a template and a repository', () => {
  test('are refused together, with advice', async () => {
    const json = { name: 'Both', template: 'static-site', repository: { url } };
    const answer = await call('POST', `${service.url}/v1/projects`, { token: owner.key, json });
    expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field: 'repository' });
    expect(answer.text).toContain('send only one of them');
  });

  test('can be synced if the repository is added later, once it builds upon the project', async () => {
    const { id } = await createProject(service, owner, { template: 'static-site' });
    await call('PATCH', `${service.url}/v1/projects/${id}`, { token: owner.key, json: { repository: { url } } });
    expect(await settled(id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('no commit in common'),
    });
    const clone = await client.clone(id, owner);
    await source.git('fetch', '--quiet', clone.directory, 'main');
    await source.git('reset', '--quiet', '--hard', 'FETCH_HEAD');
    await source.commit('Theirs', { 'theirs.txt': 't' });
    await sync(id);
    expect(await settled(id)).toMatchObject({ status: 'idle', error: null });
    expect([...(await filesByRest(service, owner, id)).keys()]).toContain('/theirs.txt');
  });
});

describe('a failed import says why:', () => {
  test.each([
    ['an unknown branch', () => ({ url, branch: 'nowhere' }), 'has no branch nowhere'],
    ['no repository', () => ({ url: `${url}-not` }), 'No repository was found'],
    ['a redirect', () => ({ url: url.replace(/(:\d+)\//, '$1/moved/') }), 'redirects'],
    ['a private one', () => ({ url: `${foreign.url}/private/x.git` }), 'is private or does not exist'],
    ['no host', () => ({ url: 'http://nowhere.invalid/x.git' }), 'The host nowhere.invalid was not found'],
    ['an address inside', () => ({ url: 'http://169.254.169.254/latest' }), 'is not a public address'],
    ['one in disguise', () => ({ url: 'http://[::ffff:10.0.0.1]/x.git' }), 'is not a public address'],
  ])('%s', async (_what, repository, reason) => {
    const id = await imported(repository());
    expect(await settled(id)).toMatchObject({ status: 'failed', error: expect.stringContaining(reason) });
  });

  test('a repository with more tags than can be listed, which a retry would not change', async () => {
    const head = await source.git('rev-parse', 'HEAD');
    const folders = Array.from({ length: 5 }, () => 'x'.repeat(200)).join('/');
    const tags = Array.from({ length: 4_500 }, (_, n) => `${head} refs/tags/${folders}/${10_000 + n}\n`);
    await source.write('.git/packed-refs', `# pack-refs with: peeled fully-peeled sorted \n${tags.join('')}`);
    const id = await imported({ url });
    expect(await settled(id)).toMatchObject({ status: 'failed', error: 'The repository has too many tags' });
    const { body } = await call('GET', `${service.url}/v1/projects/${id}`, { token: owner.key });
    const coded = { error_code: 'repository_too_many_tags', error_values: {} };
    expect(body).toMatchObject({ repository: { error: 'The repository has too many tags', ...coded } });
  });

  test('a repository larger than the limit', async () => {
    await source.commit('Large', { large: randomBytes(9_000_000) });
    const id = await imported({ url });
    expect(await settled(id)).toMatchObject({ status: 'failed', error: expect.stringContaining('MiB') });
    expect((await filesByRest(service, owner, id)).size).toBe(0);
  });
});

test('a sync without an address is refused, and a new address is fetched at once', async () => {
  const { id } = await createProject(service, owner);
  expectError(await sync(id), { status: 409, code: 'CONFLICT' });
  await onProject(service, owner, id, ['PATCH', { repository: { url } }]);
  expect((await settled(id)).status).toBe('idle');
  expect((await filesByRest(service, owner, id)).size).toBe(2);
});

test('an import that ends after the address or the branch was changed does not count for the new one', async () => {
  const { id } = await createProject(service, owner);
  const patch = (repository: unknown) => onProject(service, owner, id, ['PATCH', { repository }]);
  for (const later of [null, { url: `${url}-not` }, { url, branch: 'nowhere' }]) {
    await patch(null);
    let isChanged = false;
    foreign.beforeNext = async () => {
      isChanged = (await patch(later)).status === 200;
    };
    await patch({ url });
    await waitFor('the imports are over', async () => isChanged && (await imports()).length === 0);
    const status = later === null ? 'idle' : 'failed';
    expect(await standing(id)).toMatchObject({ status, at: null });
  }
});

test('only somebody who may manage the project can request a sync', async () => {
  const id = await imported({ url });
  await settled(id);
  const editor = await service.createUser();
  await addCollaborator(service, id, editor, { role: 'editor' });
  expectError(await sync(id, editor), { status: 403, code: 'AUTHORIZATION_ERROR' });
  expectError(await sync(id, await service.createUser()), { status: 404, code: 'NOT_FOUND' });
});
