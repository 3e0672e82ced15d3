import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Deployment, Project } from '@bottega/sdk';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildSettings } from '../../../../apps/server/src/testing/sample-deployments.ts';
import { useTestService } from '../../../../apps/server/src/testing/test-service.ts';
import { useBtg } from '../testing/btg.fixture.ts';
import { folderName } from './folders.ts';

const service = useTestService({ settings: buildSettings });
const btg = useBtg();
const runProgram = promisify(execFile);
let env: Record<string, string>;
let key: string;

beforeAll(async () => {
  key = (await service.createUser()).key;
  // Git needs its PATH, and the helper that it starts finds the same home.
  env = { PATH: process.env.PATH ?? '', HOME: btg.home };
  await btg(['login', service.url, '--token', key]);
});

describe('a project from a template', () => {
  let folder: string;
  const git = (...args: string[]) => {
    const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    return runProgram('git', [...person, ...args], { cwd: folder, env: { ...env, GIT_TERMINAL_PROMPT: '0' } });
  };

  beforeAll(async () => {
    const made = await btg.json<{ folder: string }>(['init', 'shop', '--template', 'empty'], { env });
    folder = made.folder;
  });

  test('is cloned, linked, and no file of it holds the credential', async () => {
    const files = await readdir(folder);
    expect(files).toEqual(expect.arrayContaining(['.git', '.btg', '.gitignore']));
    expect(await readFile(join(folder, '.git/config'), 'utf8')).not.toContain(key);
    expect((await git('status', '--porcelain')).stdout).toBe('');
    expect(await btg.json(['status'], { env, cwd: folder })).toMatchObject({ project: { name: 'shop' } });
  });

  test('is pushed to by git alone, deployed from its folder, and its address is printed', async () => {
    await writeFile(join(folder, 'index.html'), 'Hello');
    await git('add', '--all');
    await git('commit', '--quiet', '-m', 'Say hello');
    await git('push', '--quiet');
    const deployed = await btg(['deploy'], { env, cwd: folder });
    expect(deployed, deployed.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^https?:\/\/\S+\n$/) });
    expect(deployed.stderr).not.toContain('git push');
    const [deployment] = await btg.json<Deployment[]>(['deployments', 'ls'], { env, cwd: folder });
    expect(deployment).toMatchObject({ status: 'success', is_live: true });
    expect((await btg(['open', '--live'], { env, cwd: folder })).stdout).toMatch(/^https?:\/\//);
    expect((await btg(['deployments', 'logs', '-f'], { env, cwd: folder })).stdout).not.toBe('');
  });

  test('what is only in the folder is told, and a build that fails ends with 1 and its reason', async () => {
    await writeFile(join(folder, 'bottega.json'), JSON.stringify({ build: 'echo broken; exit 3' }));
    await git('add', '--all');
    await git('commit', '--quiet', '-m', 'Break it');
    const queued = await btg(['deploy', '--no-follow', '--env', 'preview'], { env, cwd: folder });
    expect(queued).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^dep_/),
      stderr: expect.stringContaining('git push'),
    });
    await btg(['deployments', 'cancel', queued.stdout.trim()], { env, cwd: folder });
    await git('push', '--quiet');
    const failed = await btg(['deploy'], { env, cwd: folder });
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('broken') });
    expect(failed.stderr).toMatch(/btg: Deployment dep_\w+ failed: /);
    const [, , first] = await btg.json<Deployment[]>(['deployments', 'ls'], { env, cwd: folder });
    const back = await btg(['deployments', 'rollback', first?.id ?? ''], { env, cwd: folder });
    expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining('live') });
  });
});

describe('the helper of git', () => {
  const asked = (host: string, protocol = 'http') => ({ stdin: `protocol=${protocol}\nhost=${host}\n\n`, env });

  test('answers for the service, and for no other address', async () => {
    const { host } = new URL(service.url);
    expect((await btg(['git-credential', 'get'], asked(host))).stdout).toBe(`username=btg\npassword=${key}\n`);
    for (const other of [asked('github.com', 'https'), asked(host, 'https')]) {
      expect(await btg(['git-credential', 'get'], other)).toMatchObject({ code: 0, stdout: '' });
    }
    expect((await btg(['git-credential', 'store'], asked(host))).stdout).toBe('');
  });

  test('gives a token of the environment to the address of the environment only', async () => {
    const given = { ...env, BOTTEGA_TOKEN: 'secret', BOTTEGA_URL: 'http://localhost:9' };
    const { host } = new URL(service.url);
    expect((await btg(['git-credential', 'get'], { ...asked(host), env: given })).stdout).toBe('');
  });
});

test('a clone by a token of the command line works, and says what git will need', async () => {
  const { id } = await btg.json<Project>(['projects', 'create', 'Other'], { env });
  const cwd = await btg.newFolder();
  const given = { PATH: env.PATH ?? '', HOME: cwd };
  const cloned = await btg(['clone', id, '--url', service.url, '--token', key], { env: given, cwd });
  expect(cloned, cloned.stderr).toMatchObject({ code: 0, stdout: `${join(cwd, 'Other')}\n` });
  expect(cloned.stderr).toContain('BOTTEGA_TOKEN');
});

test.each([
  ['My Shop', 'My-Shop'],
  ['../../etc', 'etc'],
  ['.git', 'git'],
  ['--upload-pack=x', 'upload-pack-x'],
  ['日本', '日本'],
  ['/', 'prj_1'],
])('a project named %s is cloned into %s', (name, folder) => expect(folderName(name, 'prj_1')).toBe(folder));
