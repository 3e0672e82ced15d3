import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiKey, File, NewApiKey, Project } from '@bottega/sdk';
import { beforeAll, describe, expect, test } from 'vitest';
import { useTestService } from '../../../../apps/server/src/testing/service/test-service.ts';
import { useBtg } from '../testing/btg.fixture.ts';
import { version } from '../version.ts';

const service = useTestService({ role: 'api' });
const btg = useBtg();
let key: string;
let env: Record<string, string>;

beforeAll(async () => {
  key = (await service.createUser({ name: 'Ada' })).key;
  env = { BOTTEGA_URL: service.url, BOTTEGA_TOKEN: key };
});

describe('a key that was given to login', () => {
  test('is stored for its address, used from then on, and forgotten at logout', async () => {
    expect(await btg(['whoami'])).toMatchObject({ code: 3, stderr: expect.stringContaining('btg login') });
    expect(await btg(['login', service.url, '--token', key])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Ada'),
    });
    expect(await btg.json(['whoami'])).toMatchObject({ url: service.url, user: { name: 'Ada', plan: 'free' } });
    expect((await btg(['logout'])).code).toBe(0);
    expect((await btg(['whoami'])).code).toBe(3);
  });

  test('is not stored if it is not valid', async () => {
    const { code, stderr } = await btg(['login', service.url, '--token', 'btg_live_wrong']);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/Request req_/)]);
    expect((await btg(['whoami'])).code).toBe(3);
  });
});

describe('the address of a linked folder', () => {
  test('never gets a token that was given for another address', async () => {
    const folder = await btg.newFolder();
    const { id } = await btg.json<Project>(['projects', 'create', 'Linked'], { env });
    await btg(['link', id], { env, cwd: folder });
    const file = join(folder, '.btg/project.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await chmod(file, 0o600);
    await writeFile(file, JSON.stringify({ url: 'http://localhost:9', project_id: id }));
    const stranger = await btg(['files', 'ls'], { env: { BOTTEGA_TOKEN: key }, cwd: folder });
    expect(stranger).toMatchObject({ code: 3, stderr: expect.stringContaining('No service is selected') });
    expect(await btg(['files', 'ls'], { env, cwd: folder })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No project is selected'),
    });
  });
});

describe('projects', () => {
  test('are created, listed, found by their name, opened and deleted', async () => {
    const created = await btg(['projects', 'create', 'Shop', '--description', 'Things'], { env });
    const id = created.stdout.trim();
    expect(created).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^prj_\w+\n$/),
      stderr: expect.stringContaining('Shop'),
    });
    expect((await btg(['projects', 'ls', '--search', 'Shop'], { env })).stdout).toContain(`${id}  Shop`);
    expect(await btg.json(['projects', 'ls', '--search', 'Things'], { env })).toMatchObject([{ id }]);
    await btg(['projects', 'open', 'Shop'], { env });
    expect(btg.pages.at(-1)).toBe(`${service.url}/projects/${id}`);
    expect(await btg(['projects', 'rm', 'Shop'], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes'),
    });
    expect((await btg(['projects', 'rm', 'Shop', '--yes'], { env })).code).toBe(0);
    expect(await btg(['projects', 'rm', 'Shop', '--yes'], { env })).toMatchObject({ code: 5 });
  });

  test('that share a name can be told apart only by their ids', async () => {
    for (const name of ['Twin', 'Twin']) await btg(['projects', 'create', name], { env });
    expect(await btg(['files', 'ls', '-p', 'Twin'], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/prj_\w+, prj_/),
    });
  });
});

describe('files', () => {
  test('can be written, listed, read and deleted on a branch, which the first write creates', async () => {
    const { id } = await btg.json<Project>(['projects', 'create', 'Branched'], { env });
    const around = { env, cwd: await btg.newFolder() };
    await btg(['link', id], around);
    expect((await btg(['files', 'put', '-', '/a.txt'], { ...around, stdin: 'main' })).code).toBe(0);
    const put = ['files', 'put', '-', '/a.txt', '--branch', 'feature'];
    expect(await btg(put, { ...around, stdin: 'x' })).toMatchObject({ code: 5 });
    expect((await btg([...put, '--create-from', 'main'], { ...around, stdin: 'feature' })).code).toBe(0);
    const cat = async (...at: string[]) => (await btg(['files', 'cat', 'a.txt', ...at], around)).stdout;
    expect([await cat(), await cat('--branch', 'feature')]).toEqual(['main', 'feature']);
    expect((await btg(['files', 'rm', 'a.txt', '--branch', 'feature'], around)).code).toBe(0);
    expect(await btg.json<File[]>(['files', 'ls', '--branch', 'feature'], around)).toEqual([]);
    expect(await btg.json<File[]>(['files', 'ls'], around)).toHaveLength(1);
  });

  test('are written from a file and from standard input, listed, read byte by byte and deleted', async () => {
    const folder = await btg.newFolder();
    const { id } = await btg.json<Project>(['projects', 'create', 'Files'], { env });
    await btg(['link', id], { env, cwd: folder });
    const around = { env, cwd: folder };
    await writeFile(join(folder, 'a.bin'), Buffer.from([0, 255, 10]));
    expect((await btg(['files', 'put', 'a.bin', 'docs/a.bin'], around)).code).toBe(0);
    expect(
      (await btg(['files', 'put', '-', '/docs/b.txt', '-m', 'Say hello'], { ...around, stdin: 'hello' })).code,
    ).toBe(0);
    expect((await btg(['files', 'put', 'a.bin', 'docs/'], around)).stdout).toContain('wrote /docs/a.bin');
    expect(await btg(['files', 'put', '-', 'docs/'], around)).toMatchObject({ code: 2 });
    expect((await btg(['files', 'cat', 'docs/b.txt'], around)).stdout).toBe('hello');
    const listed = await btg.json<File[]>(['files', 'ls', '/docs'], around);
    expect(listed.map(({ path, size }) => [path, size])).toEqual([
      ['/docs/a.bin', 3],
      ['/docs/b.txt', 5],
    ]);
    expect(await btg(['files', 'rm', 'docs'], around)).toMatchObject({ code: 2 });
    expect((await btg(['files', 'rm', 'docs', '--yes'], around)).code).toBe(0);
    expect(await btg(['files', 'cat', 'docs/b.txt'], around)).toMatchObject({ code: 5 });
  });

  test('are not sent through a link in the folder, which may lead anywhere on this machine', async () => {
    const { id } = await btg.json<Project>(['projects', 'create', 'Sent'], { env });
    const [cwd, outside] = [await btg.newFolder(), await btg.newFolder()];
    await writeFile(join(outside, 'token'), 'secret');
    await symlink(join(outside, 'token'), join(cwd, 'a.txt'));
    await symlink(outside, join(cwd, 'folder'));
    for (const file of ['a.txt', 'folder/token']) {
      const sent = await btg(['files', 'put', file, '-p', id], { env, cwd });
      expect(sent).toMatchObject({ code: 1, stderr: expect.stringContaining('symbolic link') });
    }
    expect((await btg(['files', 'put', join(outside, 'token'), '-p', id], { env, cwd })).code).toBe(0);
  });
});

describe('keys', () => {
  test('are created with scopes and an expiry, shown once, listed and revoked', async () => {
    const made = await btg.json<NewApiKey>(
      ['keys', 'create', 'ci', '--scopes', 'read:files,read:projects', '--expires', '90d'],
      { env },
    );
    expect(made).toMatchObject({ scopes: ['read:files', 'read:projects'], key: expect.stringMatching(/^btg_live_/) });
    const refused = await btg(['projects', 'create', 'No'], { env: { ...env, BOTTEGA_TOKEN: made.key } });
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringMatching(/Request req_/) });
    expect((await btg(['keys', 'revoke', made.id], { env })).code).toBe(0);
    const left = await btg.json<ApiKey[]>(['keys', 'ls'], { env });
    expect(left.map(({ id }) => id)).not.toContain(made.id);
  });
});

describe('domains', () => {
  test('are added with the records to set, listed, checked and removed', async () => {
    const { id } = await btg.json<Project>(['projects', 'create', 'Reached'], { env });
    const own = { env: { ...env }, cwd: await btg.newFolder() };
    await btg(['link', id], own);
    const added = await btg(['domains', 'add', 'WWW.example.org'], own);
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/TXT +_bottega\.www\.example\.org +bottega-domain=dom_/),
    });
    expect(await btg(['domains', 'add', 'localhost'], own)).toMatchObject({ code: 1 });
    await btg(['domains', 'add', 'example.org', '--redirect-to', 'www.example.org'], own);
    expect((await btg(['domains', 'ls'], own)).stdout).toMatch(/example\.org +pending +www\.example\.org/);
    expect(await btg.json(['domains', 'check', 'www.example.org'], own)).toMatchObject({
      state: 'pending',
      reason: { type: 'lookup_failed' },
    });
    expect(await btg(['domains', 'rm', 'www.example.org'], own)).toMatchObject({ code: 2 });
    expect((await btg(['domains', 'rm', 'www.example.org', '--yes'], own)).code).toBe(0);
    expect(await btg.json(['domains', 'ls'], own)).toMatchObject([{ domain: 'example.org', redirect_to: null }]);
  });
});

describe('webhooks', () => {
  test('are created, listed and shown', async () => {
    const made = await btg.json<{ webhook_id: string }>(
      ['webhooks', 'create', 'https://example.com/hook', '--events', 'file.*,deployment.completed'],
      { env },
    );
    expect((await btg(['webhooks', 'ls'], { env })).stdout).toContain(made.webhook_id);
    expect(await btg.json(['webhooks', 'deliveries', made.webhook_id], { env })).toEqual([]);
    expect(await btg(['webhooks', 'redeliver', made.webhook_id], { env })).toMatchObject({ code: 2 });
    expect(await btg.json(['webhooks', 'redeliver', made.webhook_id, '--failed'], { env })).toMatchObject({
      scheduled: 0,
    });
  });
});

describe('an error ends a command with its exit code:', () => {
  test.each([
    ['a command that does not exist', ['nothing'], 2],
    ['an option that does not exist', ['projects', 'ls', '--nothing'], 2],
    ['a missing argument', ['files', 'cat'], 2],
    ['a value that is none', ['keys', 'create', 'x', '--expires', 'soon'], 2],
    ['a number that is none', ['deployments', 'ls', '--limit', 'all'], 2],
    ['a project that is not there', ['files', 'ls', '-p', 'prj_00000000000000000000000000'], 5],
    ['input that the service refuses', ['projects', 'create', ' '], 1],
    ['a service that is not there', ['whoami', '--url', 'http://localhost:9'], 6],
    ['a service of which the events are not there', ['listen', '--forward', '9', '--url', 'http://localhost:9'], 6],
  ])('%s', async (_what, args, code) => {
    const ended = await btg(args, { env });
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).not.toBe('');
  });

  test('Ctrl-C, which gives 130 and prints nothing', async () => {
    expect(await btg(['projects', 'ls'], { env, signal: AbortSignal.abort() })).toEqual({
      code: 130,
      stdout: '',
      stderr: '',
    });
  });
});

test('btg status shows service, account and project', async () => {
  const { id } = await btg.json<Project>(['projects', 'create', 'Status'], { env });
  const { stdout } = await btg(['status', '-p', id], { env });
  expect(stdout).toContain(`Status (${id})`);
  expect((await btg(['open', '--live', '-p', id], { env })).code).toBe(5);
  expect(await readFile(join(btg.home, '.config/btg/config.json'), 'utf8')).not.toContain(key);
});

test('help is printed, and colours appear only on terminals', async () => {
  expect(await btg(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('btg login') });
  expect(await btg(['files', 'put', '--help'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Examples:'),
  });
  const onTerminal = { env, isTerminal: true };
  expect((await btg(['keys', 'ls'], onTerminal)).stdout).toContain('\u001b[2m');
  expect((await btg(['keys', 'ls'], { ...onTerminal, env: { ...env, NO_COLOR: '1' } })).stdout).not.toContain('\u001b');
  expect((await btg(['keys', 'ls', '--no-color'], onTerminal)).stdout).not.toContain('\u001b');
  expect((await btg(['keys', 'ls'], { env })).stdout).not.toContain('\u001b');
});

test.each(['--version', '-V', '-v', 'version'])('btg %s prints the version', async (asked) => {
  expect(await btg([asked])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
});
