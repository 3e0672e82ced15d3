import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Deployment, Project } from '@bottega/sdk';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildSettings } from '../../../../apps/server/src/testing/samples/sample-deployments.ts';
import { useTestService } from '../../../../apps/server/src/testing/service/test-service.ts';
import { useBtg } from '../testing/btg.fixture.ts';
import { folderName } from './folders.ts';

const service = useTestService({ settings: buildSettings });
const btg = useBtg();
const runProgram = promisify(execFile);
let env: Record<string, string>;
let key: string;

beforeAll(async () => {
  key = (await service.createUser()).key;
  // Git needs its PATH, and the helper that it starts has to find the same home.
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

  test('is cloned and linked, and none of its files holds the credential', async () => {
    const files = await readdir(folder);
    expect(files).toEqual(expect.arrayContaining(['.git', '.btg', '.gitignore']));
    expect(await readFile(join(folder, '.git/config'), 'utf8')).not.toContain(key);
    expect((await git('status', '--porcelain')).stdout).toBe('');
    expect(await btg.json(['status'], { env, cwd: folder })).toMatchObject({ project: { name: 'shop' } });
  });

  test('can be pushed to with plain git, and deployed from its folder, which prints its address', async () => {
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

  test('gets a warning about unpushed commits, and a failed build ends with 1 and its reason', async () => {
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

test('no project is created if its clone would be in a folder that is not empty', async () => {
  const cwd = await btg.newFolder();
  const original = await btg.json<Project>(['projects', 'create', 'Taken'], { env });
  await mkdir(join(cwd, 'Taken'));
  await writeFile(join(cwd, 'Taken/notes.txt'), 'mine');
  const count = async () => (await btg.json<Project[]>(['projects', 'ls'], { env })).length;
  const before = await count();
  for (const args of [
    ['init', 'Taken', '--template', 'empty'],
    ['init', '--template', 'empty'],
    ['fork', original.id],
    ['fork', original.id, 'Taken/notes.txt'],
  ]) {
    const refused = await btg(args, { env, cwd });
    expect(refused, args.join(' ')).toMatchObject({ code: 7, stderr: expect.stringContaining('not an empty folder') });
  }
  expect(await count()).toBe(before);
  expect(await readFile(join(cwd, 'Taken/notes.txt'), 'utf8')).toBe('mine');
});

describe('the git credential helper', () => {
  const asked = (host: string, protocol = 'http') => ({ stdin: `protocol=${protocol}\nhost=${host}\n\n`, env });

  test('answers only for the address of the service', async () => {
    const { host } = new URL(service.url);
    expect((await btg(['git-credential', 'get'], asked(host))).stdout).toBe(`username=btg\npassword=${key}\n`);
    for (const other of [asked('github.com', 'https'), asked(host, 'https')]) {
      expect(await btg(['git-credential', 'get'], other)).toMatchObject({ code: 0, stdout: '' });
    }
    expect((await btg(['git-credential', 'store'], asked(host))).stdout).toBe('');
  });

  test('gives a token from the environment only to the address from the environment', async () => {
    const given = { ...env, BOTTEGA_TOKEN: 'secret', BOTTEGA_URL: 'http://localhost:9' };
    const { host } = new URL(service.url);
    expect((await btg(['git-credential', 'get'], { ...asked(host), env: given })).stdout).toBe('');
  });
});

test('a clone with a token on the command line works, and says what git will need', async () => {
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

/** A project whose tree a shell script makes in a folder, and git pushes. */
async function projectWith(script: string): Promise<string> {
  const { id } = await btg.json<Project>(['projects', 'create', 'Hostile'], { env });
  const cwd = await btg.newFolder();
  const remote = `${service.url.replace('://', `://any:${key}@`)}/git/${id}.git`;
  const setup = 'git init -q -b main && git config user.name A && git config user.email a@b.c';
  const push = 'git add -A -f && git commit -q -m x && git push -q -f "$0" main';
  await runProgram('sh', ['-c', `${setup} && ${script} && ${push}`, remote], { cwd, env });
  return id;
}

describe('a clone of a hostile project', () => {
  test('writes nothing through a .btg that is a link', async () => {
    const [cwd, outside] = [await btg.newFolder(), await btg.newFolder()];
    const id = await projectWith(`ln -s ${outside} .btg`);
    const cloned = await btg(['clone', id, 'it'], { env, cwd });
    expect(await readdir(outside)).toEqual([]);
    expect(cloned).toMatchObject({ code: 1, stderr: expect.stringContaining('symbolic link') });
    // It says nothing about the folder either.
    expect((await btg(['status'], { env, cwd: join(cwd, 'it') })).code).toBe(0);
  });

  test('writes nothing through links in a .btg that belongs to the project', async () => {
    const [cwd, outside] = [await btg.newFolder(), await btg.newFolder()];
    const id = await projectWith(
      `mkdir .btg && ln -s ${outside}/a .btg/project.json && ln -s ${outside}/b .btg/.gitignore`,
    );
    expect((await btg(['clone', id, 'it'], { env, cwd })).code).toBe(1);
    expect(await readdir(outside)).toEqual([]);
  });

  test('runs no hook of its tree, even if git looks for hooks in a folder of the tree', async () => {
    const [cwd, outside] = [await btg.newFolder(), await btg.newFolder()];
    const hook = `printf '#!/bin/sh\ntouch ${outside}/ran\n' > hooks/post-checkout && chmod +x hooks/post-checkout`;
    const id = await projectWith(`mkdir hooks && ${hook}`);
    const settings = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.hooksPath', GIT_CONFIG_VALUE_0: 'hooks' };
    const cloned = await btg(['clone', id, 'it'], { env: { ...env, ...settings }, cwd });
    expect(cloned, cloned.stderr).toMatchObject({ code: 0 });
    expect(await readdir(outside)).toEqual([]);
  });

  test('is not made through a link in the current folder', async () => {
    const [cwd, outside] = [await btg.newFolder(), await btg.newFolder()];
    const { id } = await btg.json<Project>(['projects', 'create', 'Harmless'], { env });
    await symlink(outside, join(cwd, 'out'));
    for (const folder of ['out', 'out/it']) {
      expect((await btg(['clone', id, folder], { env, cwd })).stderr).toContain('symbolic link');
    }
    expect(await readdir(outside)).toEqual([]);
  });
});

test('a deployment from a folder runs nothing that its git configuration names', async () => {
  const [cwd, outside] = [await btg.newFolder(), await btg.newFolder()];
  const id = await projectWith('echo Hello > index.html');
  await btg(['link', id], { env, cwd });
  const ran = `touch ${outside}/ran`;
  await runProgram('git', ['init', '--quiet'], { cwd });
  await writeFile(join(cwd, 'included'), `[core]\n  fsmonitor = ${ran}\n`);
  await writeFile(
    join(cwd, '.git/config'),
    `[core]
  repositoryformatversion = 1
  fsmonitor = ${ran}
  hooksPath = ${outside}
  sshCommand = ${ran}
  pager = ${ran}
  editor = ${ran}
  askPass = ${ran}
[extensions]
  partialClone = origin
[remote "origin"]
  url = ext::sh -c "${ran}"
  promisor = true
  uploadpack = ${ran}
[credential]
  helper = !${ran}
[include]
  path = ../included
[diff]
  external = ${ran}
[filter "x"]
  smudge = ${ran}
  process = ${ran}
[pager]
  rev-parse = ${ran}
[protocol "ext"]
  allow = always
[url "ext::sh -c '${ran}' "]
  insteadOf = http://
`,
  );
  await writeFile(join(cwd, '.git/HEAD'), `${'1'.repeat(40)}\n`);
  const deployed = await btg(['deploy', '--no-follow'], { env, cwd });
  expect(deployed, deployed.stderr).toMatchObject({ code: 0, stderr: expect.stringContaining('at 1111111') });
  expect(await readdir(outside)).toEqual([]);
});
