import { join } from 'node:path';
import type { ReviewThread } from '@bottega/sdk';
import { describe, expect, test } from 'vitest';
import { addCollaborator } from '../../../../apps/server/src/testing/samples/sample-projects.ts';
import { useShop } from './git-shop.fixture.ts';

const shop = useShop();

describe('btg mr create', () => {
  test('offers the branch of the folder once it was pushed, titled with the subject of its last commit', async () => {
    await shop.git('checkout', '--quiet', '-b', 'feature');
    await shop.write({ 'a.txt': '1\ntwo\n3\n' }, 'Say two\n\nBecause.');
    expect(await shop.mr('create')).toMatchObject({ code: 5, stderr: expect.stringContaining('git push') });
    await shop.git('push', '--quiet', 'origin', 'feature');
    await shop.write({ 'b.txt': 'more\n' }, 'More');
    const opened = await shop.mr('create', '--reviewer', 'Ben', '--file', 'a.txt', '--draft');
    expect(opened, opened.stderr).toMatchObject({
      code: 0,
      stdout: `${shop.service.url}/projects/${shop.project}/merge-requests/1\n`,
    });
    expect(opened.stderr).toContain('To add local commits, run git push.');
    expect(await shop.viewed()).toMatchObject({
      ...{ number: 1, title: 'Say two', description: '1\ntwo\n3', draft: true, source: 'feature', target: 'main' },
      reviewers: [{ id: shop.ben.id }],
    });
  });

  test('refuses people who are not members, two descriptions, and a folder without a branch', async () => {
    await shop.offer();
    expect(await shop.mr('create', '--reviewer', 'nobody@example.com')).toMatchObject({ code: 5 });
    expect(await shop.mr('create', '--description', 'x', '--file', 'a.txt')).toMatchObject({ code: 2 });
    await shop.git('checkout', '--quiet', '--detach');
    expect(await shop.mr('create')).toMatchObject({ code: 2, stderr: expect.stringContaining('--source') });
    expect((await shop.mr('create', '--source', 'feature', '--reviewer', shop.ben.email)).code).toBe(0);
    expect(await shop.mr('create', '--source', 'feature')).toMatchObject({ code: 7 });
  });
});

test('btg fork copies a project of somebody else, and btg mr create --upstream offers its changes back', async () => {
  const { service, btg, envOf, project } = shop;
  const cleo = await service.createUser({ name: 'Cleo' });
  await addCollaborator(service, project, cleo, { role: 'viewer' });
  const around = { env: envOf(cleo), cwd: await btg.newFolder() };
  const { folder } = await btg.json<{ folder: string }>(['fork', project, '--name', 'Copy'], around);
  expect(folder).toBe(join(around.cwd, 'Copy'));
  const inFork = { env: envOf(cleo), cwd: folder };
  await shop.gitIn(folder, cleo, 'checkout', '--quiet', '-b', 'typo');
  await shop.write({ 'a.txt': '1\n2\nthree\n' }, 'Write three as a word', folder);
  await shop.gitIn(folder, cleo, 'push', '--quiet', 'origin', 'typo');
  const opened = await btg(['mr', 'create', '--upstream'], inFork);
  expect(opened, opened.stderr).toMatchObject({
    code: 0,
    stdout: `${service.url}/projects/${project}/merge-requests/1\n`,
  });
  expect((await shop.mr('view', '1', '--diff')).stdout).toContain('+three');
  expect((await shop.mr('ls')).stdout).toMatch(/1 +open +Copy:typo +main +Cleo/);
  expect(await btg(['mr', 'merge', '1', '-p', project], { env: envOf(cleo) })).toMatchObject({ code: 4 });
  expect((await shop.mr('checks', '1', '--start')).code).toBe(0);
  expect((await shop.byBen('merge', '1')).code).toBe(0);
  expect(await shop.mr('create', '--upstream', '--source', 'main')).toMatchObject({ code: 2 });
});

test('btg mr ls lists the merge requests of the project, and those of all projects that wait for a review', async () => {
  await shop.offer();
  await shop.mr('create', '--reviewer', shop.ben.id);
  expect((await shop.mr('ls')).stdout).toMatch(/1 +open +feature +main +Ada +\d+ s ago +Say two/);
  expect((await shop.byBen('ls', '--mine')).stdout).not.toContain('Say two');
  const waiting = await shop.byBen('ls', '--waiting');
  expect(waiting.stdout).toMatch(new RegExp(`${shop.name} +1 +open`));
  expect((await shop.mr('close', '1')).code).toBe(0);
  expect(await shop.btg.json(['mr', 'ls', '-p', shop.project], { env: shop.envOf(shop.ada) })).toEqual([]);
  expect(
    await shop.btg.json(['mr', 'ls', '--state', 'all', '--mine', '-p', shop.project], { env: shop.envOf(shop.ada) }),
  ).toHaveLength(1);
  expect(await shop.mr('ls', '--mine', '--waiting')).toMatchObject({ code: 2 });
  expect(await shop.mr('ls', '--state', 'ajar')).toMatchObject({ code: 2 });
});

test('a second person reviews lines, the author answers, and the review is shown with its threads', async () => {
  await shop.offer();
  await shop.mr('create');
  expect(await shop.byBen('comment', '1', '--line', '2', '-m', 'Why?')).toMatchObject({ code: 2 });
  const begun = await shop.byBen('comment', '!1', '--path', 'a.txt', '--line', '1-2', '-m', 'Why?');
  expect(begun, begun.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^mrt_\w+\n$/) });
  const thread = begun.stdout.trim();
  expect(await shop.byBen('review', '1', '--approve', '--comment')).toMatchObject({ code: 2 });
  expect((await shop.byBen('review', '1', '--request-changes', '-m', 'Not yet.')).stdout).toContain('REQUEST_CHANGES');
  expect((await shop.mr('comment', '1', '--reply', thread, '-m', 'Because.')).code).toBe(0);
  expect((await shop.mr('resolve', '1', thread)).stdout).toContain('resolved');
  const { stdout } = await shop.mr('view', '1', '--threads', '--diff');
  expect(stdout).toMatch(/Ben requested changes to version 1, \d+ s ago\n {2}Not yet\./);
  expect(stdout).toContain(`/a.txt:1-2  ${thread}  resolved\n  > 1\n  > two\n  Ben, `);
  expect(stdout).toMatch(/Ben, \d+ s ago:\n {4}Why\?\n {2}Ada, \d+ s ago:\n {4}Because\./);
  expect(stdout).toContain('\n-2\n+two\n');
  expect((await shop.mr('resolve', '1', thread, '--reopen')).stdout).not.toContain('resolved');
  const { threads } = await shop.viewed<{ threads: ReviewThread[] }>();
  expect(threads).toMatchObject([{ id: thread, path: '/a.txt', start_line: 1, line: 2, resolved: false }]);
  const { head_sha } = await shop.viewed();
  expect(await shop.byBen('review', '1', '--approve', '--head', '0'.repeat(40))).toMatchObject({ code: 7 });
  expect((await shop.byBen('review', '1', '--approve', '--head', head_sha)).code).toBe(0);
});

describe('btg mr merge', () => {
  test('merges the version that was seen, by the named strategy, and deletes the source branch', async () => {
    await shop.offer();
    await shop.mr('create');
    await shop.write({ 'b.txt': 'more\n' }, 'More');
    await shop.git('push', '--quiet', 'origin', 'feature');
    expect(await shop.byBen('merge', '1', '--head', '0'.repeat(40))).toMatchObject({ code: 7 });
    const merged = await shop.byBen('merge', '1', '--strategy', 'squash', '--delete-branch', '-m', 'All of it');
    expect(merged, merged.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/state +merged/) });
    await shop.git('fetch', '--quiet', '--prune');
    expect((await shop.git('log', '-1', '--format=%s', 'origin/main')).stdout).toBe('All of it\n');
    expect((await shop.git('branch', '--remotes')).stdout).not.toContain('feature');
    expect(await shop.mr('reopen', '1')).toMatchObject({ code: 7 });
  });

  test('names the files that both sides changed', async () => {
    await shop.offer();
    await shop.mr('create');
    await shop.git('checkout', '--quiet', 'main');
    await shop.write({ 'a.txt': '1\nzwei\n3\n' }, 'Say zwei');
    await shop.git('push', '--quiet', 'origin', 'main');
    expect(await shop.mr('merge', '1')).toMatchObject({ code: 7, stderr: expect.stringContaining('/a.txt') });
    expect((await shop.mr('close', '1')).stdout).toMatch(/state +closed/);
    expect((await shop.mr('reopen', '1')).stdout).toMatch(/state +open/);
    expect(await shop.mr('merge', '9')).toMatchObject({ code: 5 });
    expect(await shop.mr('merge', 'x')).toMatchObject({ code: 2 });
  });
});
