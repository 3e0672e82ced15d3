import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { useGitClient } from '../repository/smart-http/git-client.fixture.ts';
import { expectError } from '../testing/clients/expect-error.ts';
import { type Answer, call } from '../testing/clients/http-client.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';
import { listTemplates, onTemplates, publish } from './templates.fixture.ts';

const service = useTestService();
const git = useGitClient(service);

let user: TestUser;
beforeAll(async () => {
  user = await service.createUser();
});

let made = 0;
/** Clones as a user's shell would, with only the address. */
async function tryClone(url: string, ...options: string[]) {
  const directory = join(git.root, `template-${++made}`);
  return { directory, ...(await git.at(git.root).tryGit('clone', '--quiet', ...options, url, directory)) };
}
const withKey = (url: string, key: string) => url.replace('://', `://x:${key}@`);
const headOf = (directory: string) => git.at(directory).git('rev-parse', 'HEAD');

describe('a built-in template', () => {
  test('can be cloned by anyone, filled in with its own name', async () => {
    for (const template of await listTemplates(service, user)) {
      const { id, name, version, updated_at, repository_url: url, files_count: count } = template;
      const { ok, stderr, directory } = await tryClone(url);
      expect(ok, `${id}: ${stderr}`).toBe(true);
      expect(readFileSync(join(directory, 'README.md'), 'utf8')).toContain(`# ${name}\n`);
      expect(readFileSync(join(directory, 'LICENSE'), 'utf8')).toContain('Copyright (c) 2026 Bottega');
      expect((await git.at(directory).git('ls-files')).split('\n')).toHaveLength(count);
      expect(await git.at(directory).git('log', '--format=%s|%an|%cI')).toBe(
        `${name}, version ${version}|Bottega|${updated_at.replace('.000Z', '+00:00')}`,
      );
      expect(await git.at(directory).git('fsck', '--strict')).toBe('');
    }
  });

  test('has the same commit in every clone, also shallow, and can be cloned after its cached copy is gone', async () => {
    const { repository_url: url } = (await onTemplates(service, user, ['GET', '/static-site'])).body;
    const heads = await Promise.all([tryClone(url), tryClone(url, '--depth=1'), tryClone(`${url.slice(0, -4)}`)]);
    expect(new Set(await Promise.all(heads.map(({ directory }) => headOf(directory)))).size).toBe(1);
    rmSync(cacheRoot(), { recursive: true });
    expect((await tryClone(url)).ok).toBe(true);
  });

  test('can be cloned after its cached copy lost references or objects, since the copy is made anew', async () => {
    const { repository_url: url } = (await onTemplates(service, user, ['GET', '/node-api'])).body;
    const { directory } = await tryClone(url);
    const copy = join(cacheRoot(), `${await headOf(directory)}.git`);
    for (const part of ['HEAD', 'packed-refs', 'objects/pack']) {
      rmSync(join(copy, part), { recursive: true });
      expect((await tryClone(url)).ok, part).toBe(true);
    }
    for (const name of readdirSync(join(copy, 'objects/pack'))) rmSync(join(copy, 'objects/pack', name));
    expect((await tryClone(url)).ok).toBe(true);
  });

  test('keeps executable files executable', async () => {
    const { directory } = await tryClone(`${service.url}/git/templates/python-script.git`);
    expect(await git.at(directory).git('ls-files', '--stage', 'main.py')).toMatch(/^100755 /);
  });

  test('refuses a push, and refuses a bad credential', async () => {
    const url = `${service.url}/git/templates/empty.git`;
    const { directory } = await tryClone(url);
    await git.at(directory).commit('mine', { a: 'b' });
    const pushed = await git.at(directory).tryGit('push', withKey(url, user.key), 'HEAD:main');
    expect(pushed.stderr).toContain('This repository is read-only');
    expectChallenge(await call('GET', `${url}/info/refs?service=git-upload-pack`, { token: 'bad' }));
    expectError(await call('GET', `${url}/info/refs`), { status: 403, code: 'AUTHORIZATION_ERROR' });
  });
});

describe('a template of a user', () => {
  test('can be cloned with a key by users who may see it, and by nobody else', async () => {
    const variables = [{ name: 'project_name', type: 'string' }];
    const { template } = await publish(service, user, { '/README.md': '# {{project_name}}\n' }, { variables });
    const url = template.repository_url;
    const { ok, directory, stderr } = await tryClone(withKey(url, user.key));
    expect(ok, stderr).toBe(true);
    expect(readFileSync(join(directory, 'README.md'), 'utf8')).toBe('# Mine\n');
    expect((await tryClone(url)).stderr).toContain('could not read Username');
    const stranger = await service.createUser({ isAdmin: true });
    expect((await tryClone(withKey(url, stranger.key))).stderr).toContain('not found');
    const { key } = await service.createKey(user.id, { scopes: ['write:projects'] });
    expect((await tryClone(withKey(url, key))).stderr).toContain('read:files');
    expectChallenge(await call('GET', `${url}/info/refs?service=git-upload-pack`));
  });

  test('that is public can be cloned with any key, always in its newest version', async () => {
    const admin = await service.createUser({ isAdmin: true });
    const { template, place } = await publish(service, admin, { '/a.txt': 'one' }, { visibility: 'public' });
    const url = withKey(template.repository_url, user.key);
    const first = await tryClone(url);
    expect(readFileSync(join(first.directory, 'a.txt'), 'utf8')).toBe('one');
    const put = { path: '/a.txt', content: 'two' };
    await call('PUT', `${service.url}/v1/projects/${place.projectId}/files`, { token: admin.key, json: put });
    await onTemplates(service, admin, ['POST', `/${template.id}/versions`]);
    const second = await tryClone(url);
    expect(readFileSync(join(second.directory, 'a.txt'), 'utf8')).toBe('two');
    expect(await git.at(second.directory).git('log', '--format=%s')).toBe('Mine, version 2');
  });

  test('that does not exist is a 404 with a key, and a 401 without one', async () => {
    for (const id of ['nothing', 'tpl_00000000000000000000000000', '%00', '__proto__']) {
      const url = `${service.url}/git/templates/${id}.git/info/refs?service=git-upload-pack`;
      expectChallenge(await call('GET', url));
      expectError(await call('GET', url, { token: user.key }), { status: 404, code: 'NOT_FOUND' });
    }
  });
});

function expectChallenge(answer: Answer<unknown>): void {
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
}

function cacheRoot(): string {
  return join(service.dataDir, 'cache', 'templates');
}
