import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../../apps/server/src/testing/parts/wait-for.ts';
import { newPerson } from '../people.ts';
import { projectWith } from '../projects.ts';
import { useTerminal } from '../terminal.ts';

const { home, runAs } = useTerminal();

const words = `grep -q Bonjour hello.txt && exit
echo '::error file=hello.txt,line=1,title=Language::Say it in French'
exit 1
`;
const checks = { words: { run: 'sh words.sh' }, size: { run: 'test -s hello.txt', needs: ['words'] } };

type Failed = { code: number; stdout: string; stderr: string };

/** The exit code and the output of a command that must not succeed. */
const failing = (run: Promise<string>): Promise<Failed> =>
  run.then(
    (stdout) => expect.unreachable(`it succeeded: ${stdout}`),
    (error: Failed) => error,
  );

test('a change goes from a push to main in the terminal alone, and main takes only what passes its checks', async () => {
  const ada = await newPerson();
  const files = { '/bottega.json': JSON.stringify({ checks }), '/words.sh': words, '/hello.txt': 'Bonjour\n' };
  const id = await projectWith(ada.client, files);
  const folder = join(home, 'checked');
  await runAs(ada, home, 'btg', 'clone', id, folder);
  const git = (...args: string[]) => runAs(ada, folder, 'git', ...args);
  const btg = (...args: string[]) => runAs(ada, folder, 'btg', ...args);
  await btg('rules', 'add', 'main', '--checks', 'words,size', '--no-direct-push');

  await git('checkout', '--quiet', '-b', 'greeting');
  writeFileSync(join(folder, 'hello.txt'), 'Hello\n');
  const early = await failing(btg('check', 'run'));
  expect(early.stdout).toContain('hello.txt:1: failure: Language: Say it in French\n');
  expect(await git('status', '--short')).toBe(' M hello.txt\n');

  await git('commit', '--quiet', '--all', '-m', 'Say hello');
  const push = ['push', '--quiet', 'origin', 'HEAD:refs/for/main', '-o', 'topic=greeting'];
  await git(...push);
  const failed = await failing(btg('mr', 'checks', '1', '--wait'));
  expect(failed.code).toBe(1);
  expect(failed.stdout).toMatch(/words +failure +required[\s\S]*hello\.txt:1: failure: Language: Say it in French/);
  expect(await failing(btg('mr', 'merge', '1'))).toMatchObject({ code: 7, stderr: expect.stringContaining('words') });
  const direct = await failing(git('push', 'origin', 'HEAD:main'));
  expect(direct.stderr).toContain('refs/for/main');

  writeFileSync(join(folder, 'hello.txt'), 'Bonjour, Ada\n');
  await git('commit', '--quiet', '--all', '-m', 'Say it in French');
  expect(await btg('check', 'run')).toMatch(/words +success[\s\S]*size +success/);
  await git(...push);
  expect(await btg('mr', 'checks', '1', '--wait')).toMatch(/words +success +required/);
  expect(await btg('mr', 'merge', '1', '--when-ready', '--wait')).toMatch(/state +merged/);

  await git('fetch', '--quiet', 'origin');
  expect(await git('show', 'origin/main:hello.txt')).toBe('Bonjour, Ada\n');
  const runs = JSON.parse(await btg('check', 'ls', '--ref', 'main', '--json')) as { attempt: number }[];
  expect(
    runs.map(({ attempt }) => attempt),
    'the same files are not checked twice',
  ).toEqual([1, 1]);
});

test('a check of another system holds a merge back until it is reported', async () => {
  const { client } = await newPerson();
  const id = await projectWith(client, { '/a.txt': 'one\n' });
  await client.branchRules.create(id, { pattern: 'main', checks: ['outside'] });
  await client.branches.create(id, { name: 'more', from: 'main' });
  await client.files.write(id, { path: '/b.txt', content: 'two\n', branch: 'more' });
  const { number, head_sha } = await client.mergeRequests.create(id, { source: 'more', title: 'More' });
  const which = `${number}`;
  await expect(client.mergeRequests.merge(id, which, {})).rejects.toMatchObject({
    details: { reason: 'not_ready', blocked_by: [{ reason: 'check_missing', names: ['outside'] }] },
  });
  expect(await client.mergeRequests.merge(id, which, { when_ready: true })).toMatchObject({ queue: { position: 1 } });
  await client.checks.create(id, { name: 'outside', head_sha, status: 'completed', conclusion: 'success' });
  await waitFor('it is merged', async () => (await client.mergeRequests.get(id, which)).state === 'merged');
});
