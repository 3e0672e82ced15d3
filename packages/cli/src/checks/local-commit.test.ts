import { existsSync } from 'node:fs';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call } from '../../../../apps/server/src/testing/clients/http-client.ts';
import { useShop } from '../merge-requests/git-shop.fixture.ts';

const shop = useShop();
const inFolder = (name: string) => join(shop.folder, name);
const check = (...args: string[]) =>
  shop.btg(['check', 'run', ...args], { env: shop.envOf(shop.ada), cwd: shop.folder });

/** The commits that the service got to check, oldest first. */
async function sent(): Promise<string[]> {
  const rows = shop.service.db.selectFrom('git_refs').select('sha').where('project_id', '=', shop.project);
  const found = await rows.where('name', 'like', 'refs/checks/%').orderBy('updated_at').execute();
  return found.map(({ sha }) => sha.toString('hex'));
}

/** The files of a commit with their sizes, except those of the template. */
async function filesOf(sha = ''): Promise<string[]> {
  const url = `${shop.service.url}/v1/projects/${shop.project}/files?recursive=true&ref=${sha}`;
  const { body } = await call<{ data: { path: string; size: number }[] }>('GET', url, { token: shop.ada.key });
  return body.data
    .filter(({ path }) => !['/LICENSE', '/README.md'].includes(path))
    .map(({ path, size }) => `${path} ${size}`)
    .sort();
}

/** Everything of the clone that must stay as it is. */
async function clone(): Promise<string[]> {
  const asked = [
    ['status', '--porcelain'],
    ['diff', '--cached'],
    ['log', '--format=%H %d'],
    ['count-objects', '-v'],
  ];
  return Promise.all(asked.map(async (args) => (await shop.git(...args)).stdout));
}

const bottega = JSON.stringify({ checks: { test: { run: 'true' } } });

test('btg check run sends the files as they are now, and does not change index, branches and objects of the clone', async () => {
  await shop.write({ 'gone.txt': 'x\n', '.gitignore': 'secret.txt\n', 'bottega.json': bottega }, 'More');
  await writeFile(inFolder('a.txt'), 'changed\n');
  await writeFile(inFolder('staged.txt'), 'staged\n');
  await shop.git('add', 'staged.txt');
  await writeFile(inFolder('staged.txt'), 'changed after that\n');
  await writeFile(inFolder('new.txt'), 'new\n');
  await writeFile(inFolder('secret.txt'), 'secret\n');
  await rm(inFolder('gone.txt'));
  const before = await clone();
  await check('--no-wait');
  expect(await clone()).toEqual(before);
  const [sha, ...others] = await sent();
  expect(others).toEqual([]);
  expect(await filesOf(sha)).toEqual(
    ['/.gitignore 11', '/a.txt 8', `/bottega.json ${bottega.length}`, '/new.txt 4', '/staged.txt 19'].sort(),
  );
  await check('--no-wait');
  expect(await sent(), 'the same files are the same commit').toEqual([sha]);
});

test('btg check run sends the commit itself if nothing is changed, also from a subfolder or a shallow clone', async () => {
  await shop.write({ 'bottega.json': bottega }, 'More');
  await shop.git('push', '--quiet', 'origin', 'main');
  const head = (await shop.git('rev-parse', 'HEAD')).stdout.trim();
  await check('--no-wait');
  expect(await sent()).toEqual([head]);
  await rm(shop.folder, { recursive: true });
  const remote = `${shop.service.url.replace('://', `://x:${shop.ada.key}@`)}/git/${shop.project}.git`;
  await shop.gitIn(await shop.btg.newFolder(), shop.ada, 'clone', '--quiet', '--depth', '1', remote, shop.folder);
  const env = shop.envOf(shop.ada);
  await shop.btg(['link', shop.project], { env, cwd: shop.folder });
  await mkdir(inFolder('below'));
  await writeFile(inFolder('a.txt'), 'changed\n');
  await shop.btg(['check', 'run', '--no-wait'], { env, cwd: inFolder('below') });
  const [, changed] = await sent();
  expect(await filesOf(changed)).toEqual(['/.gitignore 128', '/a.txt 8', `/bottega.json ${bottega.length}`]);
});

test('btg check run starts no program that the clone configures, and sends the password only to the service', async () => {
  const bait = inFolder('bait');
  await writeFile(inFolder('.gitattributes'), '*.txt filter=trap\n');
  await writeFile(inFolder('new.txt'), 'new\n');
  await writeFile(inFolder('.git/hooks/pre-push'), `#!/bin/sh\ntouch ${bait}\n`, { mode: 0o755 });
  await appendFile(
    inFolder('.git/config'),
    `[filter "trap"]\n\tclean = touch ${bait}; cat\n\tprocess = touch ${bait}\n\trequired = true\n` +
      `[core]\n\tfsmonitor = touch ${bait}\n[url "http://127.0.0.1:1/"]\n\tinsteadOf = ${shop.service.url}/\n`,
  );
  await check('--no-wait');
  expect(existsSync(bait)).toBe(false);
  expect(await filesOf((await sent())[0])).toContain('/new.txt 4');
});

test('btg check run needs a clone of the project, unless a reference is given', async () => {
  const outside = { env: shop.envOf(shop.ada), cwd: await shop.btg.newFolder() };
  const unlinked = await shop.btg(['check', 'run', '-p', shop.project], outside);
  expect(unlinked).toMatchObject({ code: 2, stderr: expect.stringContaining('--ref') });
  await shop.btg(['link', shop.project], outside);
  expect(await shop.btg(['check', 'run'], outside)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('clone'),
  });
});
