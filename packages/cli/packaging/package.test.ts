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

/** In one shell, in an empty folder, as somebody who follows the page. */
async function follow(name: string, blocks: string[]): Promise<string> {
  const { key } = await service.createUser();
  const folder = join(root, name);
  await mkdir(folder);
  const person = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' };
  const committer = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' };
  const env = {
    ...{ PATH: `${programs}:${process.env.PATH}`, HOME: folder, ...person, ...committer },
    ...{ BOTTEGA_URL: service.url, BOTTEGA_TOKEN: key },
  };
  return (await run('bash', ['-c', ['set -euo pipefail', ...blocks].join('\n')], { cwd: folder, env })).stdout;
}

async function blocksOf(page: string): Promise<string[]> {
  const text = await readFile(join(cli, page), 'utf8');
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block.trim());
}

test('the README, followed as written in an empty folder, does what it says', async () => {
  const [install, ...blocks] = await blocksOf('README.md');
  expect(install).toBe(connectCommands('http://localhost:3000').installCli);
  const stdout = await follow('readme', blocks);
  expect(stdout).toContain('<h1>Open soon</h1>');
  expect(stdout).toContain('/robots.txt');
  expect(stdout).toContain('"name": "shop"');
});

test('the quickstart of the guide, followed as written, deploys, previews, merges and rolls back', async () => {
  const [start, install, ...blocks] = await blocksOf('../../docs/quickstart.md');
  const { installCli, logIn } = connectCommands('http://localhost:3000');
  expect(start).toBe('npm ci && npm start');
  expect(install).toBe(`${installCli}\n${logIn}`);
  const stdout = await follow('quickstart', [
    ...blocks,
    'git pull -q origin main && git show HEAD:public/index.html',
    'curl -sf "$(btg open --live --json | jq -r .url)"',
  ]);
  expect(stdout).toContain('<h1>Hello, friend</h1>');
  expect(stdout).toContain('Where to begin');
});
