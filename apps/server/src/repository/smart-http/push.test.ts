import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readlink, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call } from '../../testing/clients/http-client.ts';
import { expectStoredEventsCatalogued } from '../../testing/contract/catalogue-validator.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { type Clone, filesByRest, putFile, useDirectory, useGitClient } from './git-client.fixture.ts';

const data = useDirectory('data');
const service = useTestService({ settings: { BOTTEGA_DATA_DIR: data, BOTTEGA_FILE_LIMIT: '65536' } });
const client = useGitClient(service);
let owner: TestUser;
let projectId: string;
let clone: Clone;

beforeAll(async () => {
  owner = await service.createUser();
});

beforeEach(async () => {
  projectId = (await createProject(service, owner)).id;
  await putFile(service, owner, projectId, ['/README.md', '# one\n']);
  await putFile(service, owner, projectId, ['/src/a.txt', 'a\n']);
  clone = await client.clone(projectId, owner);
});

const refs = async () => {
  const rows = await service.db
    .selectFrom('git_refs')
    .select(['name', 'sha', 'peeled'])
    .where('project_id', '=', projectId)
    .orderBy('name')
    .execute();
  return Object.fromEntries(rows.map(({ name, sha }) => [name, sha.toString('hex')]));
};

const events = () =>
  service.db
    .selectFrom('events')
    .select(['type', 'data', 'request_id', 'actor_id'])
    .where('project_id', '=', projectId)
    .where('type', 'like', 'file.%')
    .orderBy('id')
    .execute();

const countObjects = async () =>
  (
    await service.db
      .selectFrom('git_objects')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow()
  ).count;

describe('a push to main', () => {
  test('is visible by REST at once, with unchanged ids, events and statistics', async () => {
    const before = await filesByRest(service, owner, projectId);
    const known = (await events()).length;
    await rename(join(clone.directory, 'src/a.txt'), join(clone.directory, 'src/b.txt'));
    const sha = await clone.commit('Rename and add', { 'README.md': '# two\n', 'docs/new.md': 'new\n' });
    await clone.git('push', '--quiet');

    const after = await filesByRest(service, owner, projectId);
    expect([...after.keys()].sort()).toEqual(['/README.md', '/docs/new.md', '/src/b.txt']);
    expect(after.get('/README.md')).toEqual({ ...before.get('/README.md'), content: Buffer.from('# two\n') });
    expect(after.get('/src/b.txt')?.id).toBe(before.get('/src/a.txt')?.id);
    expect(await refs()).toEqual({ 'refs/heads/main': sha });

    const made = (await events()).slice(known);
    expect(made.map(({ type, data: about }) => [type, about.file_path]).sort()).toEqual([
      ['file.created', '/docs/new.md'],
      ['file.updated', '/README.md'],
      ['file.updated', '/src/b.txt'],
    ]);
    for (const { data: about, request_id, actor_id } of made) {
      expect(about).toMatchObject({ commit_sha: sha, branch: 'main' });
      expect([request_id?.slice(0, 4), actor_id]).toEqual(['req_', owner.id]);
    }
    const commits = await call<{ data: { sha: string; message: string; author: object }[] }>(
      'GET',
      `${service.url}/v1/projects/${projectId}/commits`,
      { token: owner.key },
    );
    expect(commits.body.data[0]).toMatchObject({
      sha,
      message: 'Rename and add',
      author: { name: 'Ada', email: 'ada@example.com' },
    });
  });

  test('of a merge stores every commit with its parents and its generation', async () => {
    await clone.git('checkout', '--quiet', '-b', 'side');
    const side = await clone.commit('Side', { 'side.txt': 's' });
    await clone.git('checkout', '--quiet', 'main');
    const straight = await clone.commit('Straight', { 'main.txt': 'm' });
    await clone.git('merge', '--quiet', '--no-edit', 'side');
    const merge = await clone.git('rev-parse', 'HEAD');
    await clone.git('push', '--quiet', 'origin', 'main');
    const rows = await service.db
      .selectFrom('git_commits')
      .select(['sha', 'generation', 'parents'])
      .where('project_id', '=', projectId)
      .execute();
    const generation = Object.fromEntries(rows.map((row) => [row.sha.toString('hex'), row.generation]));
    expect([generation[side], generation[straight], generation[merge]]).toEqual([3, 3, 4]);
    expect(rows.find((row) => row.sha.toString('hex') === merge)?.parents.map((sha) => sha.toString('hex'))).toEqual([
      straight,
      side,
    ]);
  });

  test('into an empty project makes its first commits', async () => {
    const { id } = await createProject(service, owner);
    const repository = await client.repository();
    await repository.commit('First', { 'a/b.txt': 'b' });
    await repository.git('push', '--quiet', client.addressOf(id, owner.key), 'main');
    expect([...(await filesByRest(service, owner, id)).keys()]).toEqual(['/a/b.txt']);
  });

  test('can alternate with writes by REST', async () => {
    for (const round of [1, 2, 3]) {
      await clone.commit(`Round ${round}`, { 'pushed.txt': `${round}` });
      await clone.git('push', '--quiet');
      await putFile(service, owner, projectId, ['/written.txt', `${round}`]);
      await clone.git('pull', '--quiet', '--ff-only');
    }
    expect(await clone.git('rev-list', '--count', 'HEAD')).toBe('8');
    expect((await clone.tryGit('fsck', '--strict')).ok).toBe(true);
  });

  test('is refused with the reason if it is no fast-forward', async () => {
    const before = await refs();
    await clone.git('commit', '--quiet', '--amend', '-m', 'Other history');
    const { ok, stderr } = await clone.tryGit('push', '--force');
    expect(ok).toBe(false);
    expect(stderr).toContain(
      '[remote rejected] main -> main (main is the default branch and does not accept force pushes',
    );
    expect(await refs()).toEqual(before);
  });

  test('is refused with the reason if it would delete main', async () => {
    const { ok, stderr } = await clone.tryGit('push', 'origin', ':main');
    expect([ok, stderr]).toEqual([false, expect.stringContaining('main is the default branch and cannot be deleted')]);
    expect(Object.keys(await refs())).toEqual(['refs/heads/main']);
  });

  test('is refused with the advice to fetch first after a write by REST', async () => {
    await putFile(service, owner, projectId, ['/other.txt', 'o']);
    await clone.commit('Late', { 'late.txt': 'l' });
    const { ok, stderr } = await clone.tryGit('push');
    expect([ok, stderr]).toEqual([false, expect.stringContaining('fetch first')]);
  });
});

describe('the branches and tags of a push', () => {
  test('can be created, moved by force and deleted', async () => {
    const first = await clone.git('rev-parse', 'HEAD');
    await clone.git('push', '--quiet', 'origin', 'main:feature/one');
    expect(await refs()).toMatchObject({ 'refs/heads/feature/one': first });
    const other = await clone.commit('Other', { 'x.txt': 'x' });
    await clone.git('push', '--quiet', 'origin', `${other}:refs/heads/feature/one`);
    await clone.git('push', '--quiet', '--force', 'origin', `${first}~1:refs/heads/feature/one`);
    expect((await refs())['refs/heads/feature/one']).toBe(await clone.git('rev-parse', `${first}~1`));
    await clone.git('push', '--quiet', 'origin', ':feature/one');
    expect(await refs()).toEqual({ 'refs/heads/main': first });
  });

  test('are returned unchanged if they are tags, lightweight or annotated', async () => {
    await clone.git('tag', 'light');
    await clone.git('tag', '-a', '-m', 'Version one', 'v1');
    await clone.git('tag', '-a', '-m', 'Tag of a tag', 'v1-again', 'v1');
    await clone.git('push', '--quiet', '--tags');
    const head = await clone.git('rev-parse', 'HEAD');
    const fresh = await client.clone(projectId, owner);
    for (const tag of ['light', 'v1', 'v1-again']) {
      expect(await fresh.git('rev-parse', tag)).toBe(await clone.git('rev-parse', tag));
    }
    const remote = await fresh.git('ls-remote', '--tags', 'origin');
    expect(remote).toContain(`${head}\trefs/tags/v1-again^{}`);
    expect(await fresh.git('cat-file', '-p', 'v1')).toContain('Version one');
    const read = await call('GET', `${service.url}/v1/projects/${projectId}/files?ref=v1`, { token: owner.key });
    expect(read.status).toBe(200);
  });

  test('cannot have names that conflict with each other', async () => {
    await clone.git('push', '--quiet', 'origin', 'main:feature');
    const { ok, stderr } = await clone.tryGit('push', 'origin', 'main:feature/one');
    expect([ok, stderr]).toEqual([false, expect.stringContaining('its name conflicts with refs/heads/feature')]);
    await clone.git('push', '--quiet', 'origin', ':feature', 'main:feature/one');
    expect(Object.keys(await refs())).toEqual(['refs/heads/feature/one', 'refs/heads/main']);
  });

  test('are stored one by one, so that the good ones stay', async () => {
    await clone.git('commit', '--quiet', '--amend', '-m', 'Other history');
    const { ok } = await clone.tryGit('push', '--force', 'origin', 'main', 'main:other');
    expect(ok).toBe(false);
    expect(Object.keys(await refs())).toEqual(['refs/heads/main', 'refs/heads/other']);
  });

  test('are stored all or not at all with --atomic', async () => {
    await clone.git('commit', '--quiet', '--amend', '-m', 'Other history');
    const { ok } = await clone.tryGit('push', '--force', '--atomic', 'origin', 'main', 'main:other');
    expect(ok).toBe(false);
    expect(Object.keys(await refs())).toEqual(['refs/heads/main']);
  });

  test('are the only references that are accepted', async () => {
    const { ok, stderr } = await clone.tryGit('push', 'origin', 'main:refs/notes/x');
    expect([ok, stderr]).toEqual([false, expect.stringContaining('only branches (refs/heads/) and tags')]);
  });
});

describe('the content of a push', () => {
  test('may include links, submodules and executable files, and is returned unchanged', async () => {
    await symlink('../README.md', join(clone.directory, 'src/link'));
    await clone.write('run.sh', '#!/bin/sh\n');
    await chmod(join(clone.directory, 'run.sh'), 0o755);
    const commit = await clone.git('rev-parse', 'HEAD');
    await clone.git('add', '--all');
    await clone.git('update-index', '--add', '--cacheinfo', `160000,${commit},vendor/lib`);
    await clone.git('commit', '--quiet', '-m', 'Links');
    await clone.git('push', '--quiet');
    const fresh = await client.clone(projectId, owner);
    expect(await readlink(join(fresh.directory, 'src/link'))).toBe('../README.md');
    expect(await fresh.git('ls-tree', '-r', 'HEAD')).toBe(await clone.git('ls-tree', '-r', 'HEAD'));
    const shown = [...(await filesByRest(service, owner, projectId)).keys()].sort();
    expect(shown).toEqual(['/README.md', '/run.sh', '/src/a.txt']);
  });

  test('must not include a file beyond the limit, and the refusal names the file', async () => {
    const before = await countObjects();
    await clone.commit('Large', { 'assets/large.bin': randomBytes(70_000) });
    await clone.git('rm', '--quiet', 'assets/large.bin');
    await clone.commit('Gone again, but still in the history');
    const { ok, stderr } = await clone.tryGit('push');
    expect(ok).toBe(false);
    expect(stderr).toContain('remote: /assets/large.bin has 70000 bytes; a file can have at most 65536 bytes.');
    expect(stderr).toContain('[remote rejected] main -> main (a file is larger than 65536 bytes)');
    expect(await countObjects()).toBe(before);
  });

  test.each([
    ['a name that is not UTF-8', Buffer.from('caf\xe9.txt', 'latin1'), 'is not UTF-8: "caf\\xe9.txt"'],
    ['a control character', Buffer.from('a\tb.txt'), 'must not contain control characters'],
    ['what Windows takes for .git', Buffer.from('git~1/config'), "contains '.git'"],
  ])('must not include %s', async (_what, name, reason) => {
    const before = await countObjects();
    const blob = await clone.git('rev-parse', 'HEAD:README.md');
    const list = Buffer.concat([Buffer.from(`100644 ${blob}\t`), name, Buffer.of(0)]);
    await writeFile(join(clone.directory, '.git/list'), list);
    const feed = 'alias.feed=!git -c core.protectNTFS=false update-index -z --index-info < .git/list';
    await clone.git('-c', feed, 'feed');
    await clone.git('commit', '--quiet', '-m', 'Bad name');
    const { ok, stderr } = await clone.tryGit('push');
    expect([ok, stderr]).toEqual([false, expect.stringContaining(reason)]);
    expect(await countObjects()).toBe(before);
  });

  test('may be a thin pack, with deltas against stored objects', async () => {
    const text = Array.from({ length: 2_000 }, (_, line) => `line ${line} ${line * 7919}`).join('\n');
    await clone.commit('Long', { 'long.txt': text });
    await clone.git('push', '--quiet');
    await clone.commit('Longer', { 'long.txt': `${text}\nend` });
    const { ok, stderr } = await clone.tryGit('push', '--progress', '--thin');
    expect(ok, stderr).toBe(true);
    expect(stderr).toMatch(/delta 1/);
    const fresh = await client.clone(projectId, owner);
    expect((await fresh.tryGit('fsck', '--strict')).ok).toBe(true);
    expect(await fresh.git('rev-parse', 'HEAD')).toBe(await clone.git('rev-parse', 'HEAD'));
  });

  test('may come from a shallow clone', async () => {
    const shallow = await client.clone(projectId, owner, '--depth=1');
    const sha = await shallow.commit('From a shallow clone', { 'x.txt': 'x' });
    await shallow.git('push', '--quiet');
    expect(await refs()).toEqual({ 'refs/heads/main': sha });
  });
});

test('one of two parallel pushes wins, and the other is told to fetch first', async () => {
  const other = await client.clone(projectId, owner);
  await clone.commit('Mine', { 'mine.txt': 'm' });
  await other.commit('Theirs', { 'theirs.txt': 't' });
  const results = await Promise.all([clone.tryGit('push'), other.tryGit('push')]);
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  expect(results.find(({ ok }) => !ok)?.stderr).toMatch(/fetch first/);
  const winner = results[0]?.ok ? clone : other;
  expect(await refs()).toEqual({ 'refs/heads/main': await winner.git('rev-parse', 'HEAD') });
});

test('a push in parallel with writes by REST loses nothing that was acknowledged', async () => {
  await clone.commit('Pushed', { 'pushed.txt': 'p' });
  const writes = Array.from({ length: 10 }, (_, n) => putFile(service, owner, projectId, [`/w${n}.txt`, `${n}`]));
  const [pushed] = await Promise.all([clone.tryGit('push'), ...writes]);
  const fresh = await client.clone(projectId, owner);
  const files = (await fresh.git('ls-files')).split('\n');
  expect(files.filter((name) => /^w\d/.test(name))).toHaveLength(10);
  expect(files.includes('pushed.txt')).toBe(pushed?.ok);
  expect(files.map((name) => `/${name}`).sort()).toEqual(
    [...(await filesByRest(service, owner, projectId)).keys()].sort(),
  );
  expect((await fresh.tryGit('fsck', '--strict')).ok).toBe(true);
});

test('a push leaves nothing in quarantine, and removes what a killed process left there', async () => {
  const root = join(data, 'cache/push');
  await mkdir(join(root, '999999999-dead-1/objects'), { recursive: true });
  await mkdir(join(root, `${process.pid}-formerlife-1`), { recursive: true });
  await clone.commit('Any', { 'any.txt': 'a' });
  await clone.git('push', '--quiet');
  expect(await readdir(root)).toEqual([]);
});

test('every event in these tests has the data that the catalogue describes', async () => {
  await expectStoredEventsCatalogued(service.db);
});
