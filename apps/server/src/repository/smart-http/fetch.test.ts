import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { call } from '../../testing/clients/http-client.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { delimPkt, flushPkt, pktLine } from '../objects/pkt-line.ts';
import { filesByRest, putFile, useDirectory, useGitClient } from './git-client.fixture.ts';

const service = useTestService({ settings: { BOTTEGA_DATA_DIR: useDirectory('data') } });
const client = useGitClient(service);
let owner: TestUser;
let projectId: string;

beforeAll(async () => {
  owner = await service.createUser();
  projectId = (await createProject(service, owner)).id;
  await putFile(service, owner, projectId, ['/README.md', '# one\n']);
  await putFile(service, owner, projectId, ['/src/main.ts', 'export {};\n']);
  await putFile(service, owner, projectId, ['/src/deep/er/ünïcode 🎈.txt', 'x']);
  await putFile(service, owner, projectId, ['/blob.bin', Buffer.from([0, 255, 1, 254])]);
});

test('a clone has exactly the files that REST shows, and git finds no errors in it', async () => {
  const clone = await client.clone(projectId, owner);
  const shown = await filesByRest(service, owner, projectId);
  const tracked = (await clone.git('ls-files', '-z')).split('\0').filter(Boolean);
  expect(tracked.map((path) => `/${path}`).sort()).toEqual([...shown.keys()].sort());
  for (const [path, { content }] of shown) {
    expect((await readFile(join(clone.directory, path))).equals(content), path).toBe(true);
  }
  expect(await clone.git('rev-parse', '--abbrev-ref', 'HEAD')).toBe('main');
  expect(await clone.git('rev-list', '--count', 'HEAD')).toBe('4');
  expect((await clone.tryGit('fsck', '--strict', '--full')).stderr).toBe('');
});

test.each(['0', '1', '2'])('a clone with version %s of the protocol has the whole history', async (version) => {
  const clone = await client.clone(projectId, owner, '-c', `protocol.version=${version}`);
  expect(await clone.git('rev-list', '--count', 'HEAD')).toBe('4');
  expect((await clone.tryGit('fsck', '--strict')).ok).toBe(true);
});

test.each(['0', '2'])(
  'a shallow clone with version %s of the protocol has one commit, and can be deepened',
  async (version) => {
    const clone = await client.clone(projectId, owner, '--depth=1', '-c', `protocol.version=${version}`);
    expect(await clone.git('rev-list', '--count', 'HEAD')).toBe('1');
    await clone.git('fetch', '--quiet', '--unshallow');
    expect(await clone.git('rev-list', '--count', 'HEAD')).toBe('4');
  },
);

test('a clone without blobs fetches them when it needs them', async () => {
  const clone = await client.clone(projectId, owner, '--filter=blob:none', '--no-checkout');
  await clone.git('checkout', '--quiet', 'main');
  expect(await readFile(join(clone.directory, 'README.md'), 'utf8')).toBe('# one\n');
});

test('a fetch after a write by REST receives its commit', async () => {
  const clone = await client.clone(projectId, owner);
  await putFile(service, owner, projectId, ['/later.txt', 'later']);
  await clone.git('pull', '--quiet', '--ff-only');
  expect(await readFile(join(clone.directory, 'later.txt'), 'utf8')).toBe('later');
  expect((await clone.tryGit('fsck', '--strict')).ok).toBe(true);
});

test('an empty project is cloned as an empty repository with the initial branch main', async () => {
  const { id } = await createProject(service, owner);
  const clone = await client.clone(id, owner);
  expect(await clone.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
});

test('the address also works without .git at its end', async () => {
  const address = client.addressOf(projectId, owner.key).replace(/\.git$/, '');
  expect(await client.at(client.root).git('ls-remote', address, 'HEAD')).toMatch(/^[0-9a-f]{40}\sHEAD$/);
});

describe('over plain HTTP', () => {
  const auth = () => ({ authorization: `Basic ${Buffer.from(`any:${owner.key}`).toString('base64')}` });
  const get = (path: string, headers: Record<string, string> = auth()) =>
    call<{ error?: { code: string } }>('GET', `${service.url}/git/${projectId}.git${path}`, { headers });

  test('the references have their content type, are not cached, and have the headers of every answer', async () => {
    const { status, headers, text } = await get('/info/refs?service=git-upload-pack');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/x-git-upload-pack-advertisement');
    expect(headers.get('cache-control')).toContain('no-cache');
    expect(headers.get('x-request-id')).toMatch(/^req_/);
    expect(headers.get('x-ratelimit-limit')).not.toBeNull();
    expect(text.startsWith('001e# service=git-upload-pack\n0000')).toBe(true);
  });

  test('the capabilities of version 2 are the same for every repository, and are not sent to strangers', async () => {
    const ask = (id: string, key: string) =>
      call('GET', `${service.url}/git/${id}.git/info/refs?service=git-upload-pack`, {
        headers: { authorization: `Bearer ${key}`, 'git-protocol': 'version=2' },
      });
    const { text } = await ask(projectId, owner.key);
    expect(text).toContain('version 2');
    const { id } = await createProject(service, owner);
    expect((await ask(id, owner.key)).text).toBe(text);
    expect((await ask(id, (await service.createUser()).key)).status).toBe(404);
  });

  test('the dumb protocol is refused with the documented error', async () => {
    const { status, body } = await get('/info/refs');
    expect([status, body.error?.code]).toEqual([403, 'AUTHORIZATION_ERROR']);
    expect((await get('/HEAD')).body.error?.code).toBe('NOT_FOUND');
    expect((await get('/objects/info/packs')).status).toBe(404);
  });

  test('a Bearer token is accepted as well', async () => {
    expect((await get('/info/refs?service=git-upload-pack', { authorization: `Bearer ${owner.key}` })).status).toBe(
      200,
    );
  });

  test('a compressed body is accepted, and one that expands without end is a 413', async () => {
    const post = (body: Buffer) =>
      call<{ error: { code: string } }>('POST', `${service.url}/git/${projectId}.git/git-upload-pack`, {
        headers: {
          ...auth(),
          'content-type': 'application/x-git-upload-pack-request',
          'content-encoding': 'gzip',
          'git-protocol': 'version=2',
        },
        body: new Uint8Array(gzipSync(body)),
      });
    const listRefs = Buffer.concat([pktLine('command=ls-refs\n'), delimPkt, pktLine('ref-prefix HEAD\n'), flushPkt]);
    const answer = await post(listRefs);
    expect([answer.status, answer.text]).toEqual([200, expect.stringMatching(/^[0-9a-f]{44} HEAD\n0000$/)]);
    expect(answer.headers.get('content-type')).toBe('application/x-git-upload-pack-result');
    const bomb = Buffer.concat([
      pktLine('command=ls-refs\n'),
      delimPkt,
      ...Array(700).fill(pktLine('ref-prefix '.padEnd(60_000, 'x'))),
    ]);
    expect((await post(bomb)).status).toBe(413);
  });

  test('nonsense instead of a request is a 400', async () => {
    const answer = await call<{ error: { code: string } }>(
      'POST',
      `${service.url}/git/${projectId}.git/git-upload-pack`,
      {
        headers: { ...auth(), 'content-type': 'application/x-git-upload-pack-request' },
        body: 'nonsense',
      },
    );
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});
