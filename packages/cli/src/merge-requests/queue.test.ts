import type { MergeRequest } from '@bottega/sdk';
import { expect, test } from 'vitest';
import { buildSettings } from '../../../../apps/server/src/testing/samples/sample-deployments.ts';
import { useShop } from './git-shop.fixture.ts';

const shop = useShop({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });
const rules = (...args: string[]) => shop.btg(['rules', ...args], { env: shop.envOf(shop.ada), cwd: shop.folder });

const run = "grep -q two a.txt || { echo '::error file=a.txt,line=2::Say two'; exit 1; }";
const bottega = JSON.stringify({ checks: { test: { run } } });

/** Main has a check, and a branch that it refuses is offered. */
async function offerBad(): Promise<void> {
  await shop.write({ 'bottega.json': bottega }, 'Check it');
  await shop.git('push', '--quiet', 'origin', 'main');
  await shop.git('checkout', '--quiet', '-b', 'feature');
  await shop.write({ 'a.txt': '1\ntoo\n3\n' }, 'Say it');
  await shop.git('push', '--quiet', 'origin', 'feature');
  expect((await shop.mr('create')).code).toBe(0);
}

test('btg rules adds, changes, lists and deletes rules, which are named by their pattern', async () => {
  const added = await rules('add', 'main', '--approvals', '1', '--checks', 'lint,test', '--no-direct-push');
  expect(added, added.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/direct push +not allowed/) });
  expect((await rules('add', 'release/*', '--owners')).stdout).toMatch(/owners +must approve/);
  expect((await rules('ls')).stdout).toMatch(/brl_\w+ +main +1 +no +lint, test +no\n.*release\/\* +0 +yes +yes/);
  expect(await rules('add', 'main')).toMatchObject({ code: 7 });
  const changed = await rules('edit', 'main', '--no-checks', '--direct-push', '--check-minutes', '5');
  expect(changed.stdout).toMatch(/approvals +1\n[\s\S]*direct push +allowed\ncheck minutes +5/);
  expect(changed.stdout).not.toContain('test');
  expect(await rules('edit', 'main')).toMatchObject({ code: 2 });
  expect(await rules('edit', 'other', '--owners')).toMatchObject({ code: 5 });
  expect(await rules('add', 'x', '--approvals', '11')).toMatchObject({ code: 2 });
  expect(await rules('rm', 'main')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  expect((await rules('rm', 'main', '--yes')).code).toBe(0);
  expect((await rules('ls')).stdout).not.toContain('main');
});

test('btg mr checks shows what fails and where, and a merge names what is missing until the check passes', async () => {
  await offerBad();
  await rules('add', 'main', '--checks', 'test', '--no-direct-push');
  const failed = await shop.mr('checks', '1', '--wait');
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('These checks failed: test.') });
  expect(failed.stdout).toMatch(/test +failure +required +.*\na\.txt:2: failure: Say two\n/);
  const refused = await shop.mr('merge', '1');
  expect(refused).toMatchObject({ code: 7, stderr: expect.stringMatching(/test[\s\S]*--when-ready/) });
  expect((await shop.mr('view', '1')).stdout).toMatch(/Not ready to merge:\n.*test/);

  await shop.write({ 'a.txt': '1\ntwo\n3\n' }, 'Say two');
  await shop.git('push', '--quiet', 'origin', 'feature');
  const merged = await shop.mr('merge', '1', '--when-ready', '--wait', '--strategy', 'squash');
  expect(merged, merged.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/state +merged/) });
  expect((await shop.mr('checks', '1')).stdout).toMatch(/test +success +required/);
  await shop.git('fetch', '--quiet');
  expect((await shop.git('show', 'origin/main:a.txt')).stdout).toBe('1\ntwo\n3\n');
});

test('btg mr merge --when-ready --wait says why a merge request left the queue', async () => {
  await offerBad();
  const left = await shop.mr('merge', '1', '--when-ready', '--wait');
  expect(left).toMatchObject({ code: 1, stderr: expect.stringContaining('left the queue') });
  expect(await shop.mr('merge', '1', '--wait')).toMatchObject({ code: 2 });
});

test('btg mr queue lists waiting merge requests in order, and btg mr dequeue removes one of them', async () => {
  await rules('add', 'main', '--approvals', '1');
  await shop.offer();
  await shop.mr('create');
  const queued = await shop.mr('merge', '1', '--when-ready');
  expect(queued, queued.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/queue +waiting, place 1/) });
  expect((await shop.mr('queue')).stdout).toMatch(/1 +1 +waiting +Ada +\d+ s ago +Say two/);
  expect((await shop.mr('queue', 'other')).stdout).not.toContain('Say two');
  expect((await shop.mr('dequeue', '1')).stdout).not.toContain('queue');
  expect(
    await shop.btg.json<MergeRequest[]>(['mr', 'queue', '-p', shop.project], { env: shop.envOf(shop.ada) }),
  ).toEqual([]);
  await shop.mr('merge', '1', '--when-ready');
  expect((await shop.byBen('review', '1', '--approve')).code).toBe(0);
  expect((await shop.mr('merge', '1', '--when-ready', '--wait')).stdout).toMatch(/state +merged/);
});
