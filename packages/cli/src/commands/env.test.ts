import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Project, Variable } from '@bottega/sdk';
import { beforeAll, describe, expect, test } from 'vitest';
import { useTestService } from '../../../../apps/server/src/testing/service/test-service.ts';
import { useBtg } from '../testing/btg.fixture.ts';

const service = useTestService({ role: 'api' });
const btg = useBtg();
let env: Record<string, string>;
let project: string;

beforeAll(async () => {
  env = { BOTTEGA_URL: service.url, BOTTEGA_TOKEN: (await service.createUser({ name: 'Ada' })).key };
  project = (await btg.json<Project>(['projects', 'create', 'Shop'], { env })).id;
});

const run = (args: string[], around: { stdin?: string; cwd?: string } = {}) =>
  btg(['env', ...args, '-p', project], { env, ...around });
const listed = (...args: string[]) => btg.json<Variable[]>(['env', 'ls', ...args, '-p', project], { env });

describe('the variables of a project', () => {
  test('are set by an argument or from standard input, listed, and deleted entirely or in some environments', async () => {
    expect(await run(['set', 'API_URL', 'https://api.example.com', '--plain'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^var_/),
      stderr: expect.stringContaining('next deployment'),
    });
    const secret = await run(['set', 'TOKEN', '--env', 'production,preview'], { stdin: 'from-standard-input\n' });
    expect(secret.code).toBe(0);
    await run(['set', 'API_URL', 'http://localhost', '--plain', '--env', 'preview']);
    expect(await listed()).toMatchObject([
      { name: 'API_URL', value: 'https://api.example.com', environments: null },
      { name: 'API_URL', value: 'http://localhost', environments: ['preview'] },
      { name: 'TOKEN', value: null, kind: 'secret', environments: ['preview', 'production'] },
    ]);
    const shown = await run(['ls', '--env', 'preview']);
    expect(shown.stdout).toContain('http://localhost');
    expect(shown.stdout).not.toContain('https://api.example.com');
    expect(shown.stdout).not.toContain('from-standard-input');
    expect((await run(['rm', 'TOKEN', '--env', 'preview'])).code).toBe(0);
    expect((await listed('--env', 'preview')).map(({ name }) => name)).toEqual(['API_URL']);
    expect((await run(['rm', 'API_URL'])).code).toBe(0);
    expect(await listed()).toMatchObject([{ name: 'TOKEN', environments: ['production'] }]);
    expect((await run(['rm', 'NOBODY'])).code).toBe(5);
  });

  test('are pulled into a file that only its owner can read: plain ones with their values, secrets by their names', async () => {
    const cwd = await btg.newFolder();
    await run(['set', 'PLAIN', 'one', '--plain', '--env', 'staging']);
    await run(['set', 'QUOTED', 'a "b" $c\nd # e', '--plain', '--env', 'staging']);
    await run(['set', 'HIDDEN', 'never-written', '--env', 'staging']);
    expect((await run(['pull', '--env', 'staging'], { cwd })).code).toBe(0);
    const file = join(cwd, '.env');
    expect(await readFile(file, 'utf8')).toBe(
      ['# HIDDEN= (secret)', 'PLAIN=one', 'QUOTED=\'a "b" $c', "d # e'", ''].join('\n'),
    );
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await writeFile(file, 'mine');
    expect(await run(['pull'], { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(await readFile(file, 'utf8')).toBe('mine');
    expect((await run(['pull', '--yes'], { cwd })).code).toBe(0);
  });

  test('are not pulled through a link in the folder', async () => {
    const [cwd, outside] = [await btg.newFolder(), await btg.newFolder()];
    await symlink(outside, join(cwd, 'config'));
    await symlink(join(outside, 'profile'), join(cwd, '.env'));
    for (const file of ['config/.env', '.env']) {
      const pulled = await run(['pull', file, '--yes'], { cwd });
      expect(pulled).toMatchObject({ code: 1, stderr: expect.stringContaining('symbolic link') });
    }
    expect(await readdir(outside)).toEqual([]);
  });
});
