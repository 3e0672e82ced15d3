import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildSettings } from '../../../apps/server/src/testing/sample-deployments.ts';
import { useTestService } from '../../../apps/server/src/testing/test-service.ts';
import { isNightly } from '../../../apps/server/src/testing/thoroughness.ts';
import { bundleCli } from './bundle.ts';

const run = promisify(execFile);
const cli = join(import.meta.dirname, '..');
const root = mkdtempSync(join(tmpdir(), 'btg-package-'));
const service = useTestService({ settings: buildSettings });
const install = 'npm install -g @bottega/cli';
const programs = join(root, 'bin');

/** By night as a package, as npm installs it; by day its bundle alone. */
beforeAll(async () => {
  if (isNightly) return installPackage();
  const folder = join(root, 'package');
  await mkdir(programs);
  await cp(join(cli, 'bin'), join(folder, 'bin'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  await bundleCli(join(folder, 'dist'));
  await symlink(join(folder, 'bin/btg.js'), join(programs, 'btg'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function installPackage(): Promise<void> {
  const packed = await run('npm', ['pack', '--silent', '--pack-destination', root], { cwd: cli });
  const tarball = join(root, packed.stdout.trim().split('\n').at(-1) ?? '');
  const options = ['--prefix', root, '--offline', '--no-audit', '--no-fund'];
  await run('npm', ['install', '-g', ...options, tarball], { cwd: root });
  expect(await readFile(join(root, 'share/man/man1/btg.1'), 'utf8')).toContain('.SS btg deploy');
}

test('the README, followed as written in an empty folder, does what it says', async () => {
  const { key } = await service.createUser();
  const readme = await readFile(join(cli, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block.trim());
  expect(blocks[0]).toBe(install);
  const script = ['set -euo pipefail', ...blocks.slice(1)].join('\n');
  const folder = join(root, 'empty');
  await mkdir(folder);
  const person = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' };
  const committer = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' };
  const env = {
    ...{ PATH: `${programs}:${process.env.PATH}`, HOME: folder, ...person, ...committer },
    ...{ BOTTEGA_URL: service.url, BOTTEGA_TOKEN: key },
  };
  const { stdout } = await run('bash', ['-c', script], { cwd: folder, env });
  expect(stdout).toContain('<h1>Open soon</h1>');
  expect(stdout).toContain('/robots.txt');
  expect(stdout).toContain('"name": "shop"');
});
