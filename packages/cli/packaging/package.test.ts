import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectCommands } from '../../../apps/dashboard/src/connect/commands.ts';
import { isNightly } from '../../../apps/server/src/testing/runner/thoroughness.ts';
import { buildSettings } from '../../../apps/server/src/testing/samples/sample-deployments.ts';
import { useTestService } from '../../../apps/server/src/testing/service/test-service.ts';
import { pack } from '../../../tools/pack.ts';
import { stagePackage } from './package.ts';

const run = promisify(execFile);
const cli = join(import.meta.dirname, '..');
const root = mkdtempSync(join(tmpdir(), 'btg-package-'));
const service = useTestService({ settings: buildSettings });
const programs = join(root, 'bin');

/** At night as npm installs it; by day as it is packed. */
beforeAll(async () => {
  if (isNightly) return install();
  const folder = join(root, 'package');
  await stagePackage(folder);
  await mkdir(programs);
  await symlink(join(folder, 'bin/btg.js'), join(programs, 'btg'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function install(): Promise<void> {
  const tarball = await pack(stagePackage, root);
  await run('npm', ['install', '-g', '--prefix', root, '--offline', '--no-audit', '--no-fund', tarball], { cwd: root });
  expect(await readFile(join(root, 'share/man/man1/btg.1'), 'utf8')).toContain('.SS btg deploy');
  const manifest = JSON.parse(await readFile(join(root, 'lib/node_modules/@bottega/cli/package.json'), 'utf8'));
  for (const name of ['dependencies', 'devDependencies', 'private']) expect(manifest).not.toHaveProperty(name);
}

test('the README, followed as written in an empty folder, does what it says', async () => {
  const { key } = await service.createUser();
  const readme = await readFile(join(cli, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block.trim());
  expect(blocks[0]).toBe(connectCommands('http://localhost:3000').installCli);
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
