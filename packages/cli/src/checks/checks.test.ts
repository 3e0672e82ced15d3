import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckRun } from '@bottega/sdk';
import { expect, test } from 'vitest';
import { buildSettings } from '../../../../apps/server/src/testing/samples/sample-deployments.ts';
import { useShop } from '../merge-requests/git-shop.fixture.ts';

const shop = useShop({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });
const check = (...args: string[]) => shop.btg(['check', ...args], { env: shop.envOf(shop.ada), cwd: shop.folder });
const json = <Value>(...args: string[]) =>
  shop.btg.json<Value>(['check', ...args], { env: shop.envOf(shop.ada), cwd: shop.folder });

const checks = {
  lint: { run: 'echo fine' },
  test: { run: "grep -q two a.txt || { echo '::error file=a.txt,line=2::Say two'; exit 1; }", needs: ['lint'] },
};
const withChecks = () => shop.write({ 'bottega.json': JSON.stringify({ checks }) }, 'Check it');

test('btg check run shows what fails and where, and succeeds once the files are fixed, before any push', async () => {
  await withChecks();
  const failed = await check('run');
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('1 of 2 checks failed: test.') });
  expect(failed.stdout).toMatch(
    /^lint {2}success {2}echo fine succeeded\ntest {2}failure {2}grep .*\na\.txt:2: failure: Say two\n$/,
  );
  const [, id = ''] = /(chk_\w+) --log/.exec(failed.stderr) ?? [];
  const viewed = await check('view', id, '--log');
  expect(viewed.stdout).toMatch(/state +failure\n/);
  expect(viewed.stdout).toContain('\na.txt:2: failure: Say two\n');
  expect(viewed.stdout).toContain('::error file=a.txt');

  await writeFile(join(shop.folder, 'a.txt'), '1\ntwo\n3\n');
  const passed = await json<{ sha: string; state: string; data: CheckRun[] }>('run');
  expect(passed).toMatchObject({ state: 'success', data: [{ name: 'lint' }, { name: 'test', conclusion: 'success' }] });
  await shop.git('commit', '--quiet', '--all', '-m', 'Say two');
  const again = await json<{ data: CheckRun[] }>('run', 'test');
  expect(again.data.map(({ id: one }) => one)).toEqual(passed.data.map(({ id: one }) => one));
  await shop.git('push', '--quiet', 'origin', 'main');
  const ofMain = await json<CheckRun[]>('ls', '--ref', 'main');
  expect(new Set(ofMain.map(({ id: one }) => one))).toEqual(new Set(passed.data.map(({ id: one }) => one)));
});

test('btg check run can check a branch on the service, and need not wait for the result', async () => {
  await withChecks();
  await shop.git('push', '--quiet', 'origin', 'HEAD:side');
  const queued = await check('run', 'lint', '--ref', 'side', '--no-wait');
  expect(queued, queued.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^lint {2}\w/) });
  expect(await check('run', '--ref', 'side')).toMatchObject({ code: 1 });
  expect(await check('run', 'other', '--ref', 'side')).toMatchObject({ code: 1 });
  expect(await check('run', '--ref', 'nowhere')).toMatchObject({ code: 5 });
  expect((await check('ls', '--ref', 'side', '--name', 'test')).stdout).toMatch(/chk_\w+ +test +failure/);
});

test('btg check view --follow shows the log to its end, and btg check rerun runs a check again', async () => {
  await withChecks();
  await check('run');
  const followed = await check('view', 'test', '--follow');
  expect(followed).toMatchObject({ code: 1, stderr: expect.stringContaining('test ended with failure') });
  expect(followed.stdout).toContain('a.txt:2: failure: Say two\n');
  const { stdout } = await shop.btg(['check', 'view', 'test', '--follow', '--json'], {
    env: shop.envOf(shop.ada),
    cwd: shop.folder,
  });
  const { id, attempt } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as CheckRun;
  expect(attempt).toBe(1);
  expect((await check('rerun', id)).code).toBe(0);
  await check('view', id, '--follow');
  expect(await json<CheckRun>('view', id)).toMatchObject({ attempt: 2, conclusion: 'failure' });
  expect(await check('cancel', id)).toMatchObject({ code: 7 });
  expect(await check('view', 'nothing')).toMatchObject({ code: 5 });
});

test('btg check view shows where the log of another system is', async () => {
  const head_sha = (await shop.git('rev-parse', 'HEAD')).stdout.trim();
  const { data } = await json<{ data: CheckRun[] }>('run');
  expect(data).toEqual([]);
  const report = { name: 'outside', head_sha, conclusion: 'success', details_url: 'https://ci.example.com/7' };
  const response = await fetch(`${shop.service.url}/v1/projects/${shop.project}/checks`, {
    ...{ method: 'POST', body: JSON.stringify(report) },
    headers: { authorization: `Bearer ${shop.ada.key}`, 'content-type': 'application/json' },
  });
  expect(response.status).toBe(201);
  expect((await check('view', 'outside')).stdout).toMatch(/address +https:\/\/ci\.example\.com\/7/);
  expect(await check('view', 'outside', '--log')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('https://ci.example.com/7'),
  });
});
