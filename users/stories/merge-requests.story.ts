import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../../apps/server/src/testing/parts/wait-for.ts';
import { newAgent } from '../agent.ts';
import { newPerson } from '../people.ts';
import { commit, projectWith } from '../projects.ts';
import { useTerminal } from '../terminal.ts';

const { home, runAs } = useTerminal();

test('a change goes from a push to main in the terminal alone, with the review of a second person', async () => {
  const [ada, ben] = [await newPerson(), await newPerson({ name: 'Ben' })];
  const id = await projectWith(ada.client, { '/hello.txt': 'one\ntwo\nthree\n' });
  const { id: invited } = await ada.client.collaborators.invite(id, { email: ben.email, role: 'editor' });
  await ben.client.collaborators.accept(id, invited);
  const [hers, his] = [join(home, 'hers'), join(home, 'his')];
  await runAs(ada, home, 'btg', 'clone', id, hers);
  await runAs(ben, home, 'btg', 'clone', id, his);
  const git = (...args: string[]) => runAs(ada, hers, 'git', ...args);
  const mr = (...args: string[]) => runAs(ada, hers, 'btg', 'mr', ...args);
  const byBen = (...args: string[]) => runAs(ben, his, 'btg', 'mr', ...args);
  const write = async (text: string, message: string) => {
    writeFileSync(join(hers, 'hello.txt'), text);
    await git('commit', '--quiet', '-am', message);
  };

  await git('checkout', '--quiet', '-b', 'greeting');
  await write('one\ndeux\nthree\n', 'Say two in French');
  const push = ['push', '--quiet', 'origin', 'HEAD:refs/for/main', '-o', 'topic=greeting'];
  await git(...push, '-o', 'title=Say two in French');
  expect(await mr('ls')).toMatch(/1 +open .*Say two in French/);
  expect(await byBen('view', '1', '--diff')).toContain('-two\n+deux\n');

  await byBen('checkout', '1', '--branch', 'review');
  expect(await readFile(join(his, 'hello.txt'), 'utf8')).toContain('deux');
  const thread = (await byBen('comment', '1', '--path', 'hello.txt', '--line', '2', '-m', 'Why not zwei?')).trim();
  await byBen('review', '1', '--request-changes', '-m', 'Almost.');
  expect(await mr('view', '1', '--threads')).toMatch(/hello\.txt:2 +mrt_[\s\S]*Why not zwei\?/);

  await write('zero\none\nzwei\nthree\n', 'Say it in German');
  await git(...push);
  await mr('comment', '1', '--reply', thread, '-m', 'Why not, indeed.');
  await mr('resolve', '1', thread);
  const { head_sha, version } = JSON.parse(await byBen('view', '1', '--json')) as { head_sha: string; version: number };
  expect(version).toBe(2);
  await byBen('review', '1', '--approve', '--head', head_sha);
  expect(await mr('view', '1')).toMatch(/Ben approved version 2/);
  expect(await mr('merge', '1', '--head', head_sha)).toMatch(/state +merged/);

  await git('fetch', '--quiet', 'origin');
  expect(await git('show', 'origin/main:hello.txt')).toBe('zero\none\nzwei\nthree\n');
  expect(await mr('ls')).not.toContain('Say two in French');
});

test('an agent offers its branch, reads what a person says about a line, and mends it', async () => {
  const { client, key } = await newPerson();
  const id = await projectWith(client, { '/sum.js': 'module.exports = (a, b) => a - b;\n' });
  await client.branches.create(id, { name: 'mended', from: 'main' });
  const agent = await newAgent(key, '/mcp?access=write&tools=review');
  const edit = (old_text: string, new_text: string) =>
    agent.call('edit_file', { project_id: id, path: '/sum.js', branch: 'mended', old_text, new_text });
  await edit('a - b', 'b + a');
  await agent.call('propose_merge', { project_id: id, source: 'mended', title: 'Sum' });
  const place = { path: '/sum.js', line: 1 };
  await client.mergeRequests.createThread(id, '1', { ...place, body: 'In order, please.' });
  const read = await agent.call('read_merge_request', { project_id: id, number: 1 });
  expect(read).toContain('In order, please.');
  await edit('b + a', 'a + b');
  const [, thread_id] = /(mrt_\w+)/.exec(read) ?? [];
  await agent.call('answer_thread', { project_id: id, number: 1, thread_id, body: 'Done.', resolved: true });
  await agent.close();
  const { data } = await client.mergeRequests.threads(id, '1');
  expect(data).toMatchObject([{ resolved: true, comments: [{ body: 'In order, please.' }, { body: 'Done.' }] }]);
  await commit(client, id, { '/other.txt': 'meanwhile\n' });
  expect(await client.mergeRequests.merge(id, '1', { strategy: 'rebase' })).toMatchObject({
    state: 'merged',
    version: 2,
  });
});

test('a protected main refuses writes and pushes, and takes a change that a second person has approved', async () => {
  const [ada, ben] = [await newPerson(), await newPerson({ name: 'Ben' })];
  const id = await projectWith(ada.client, { '/hello.txt': 'one\n' });
  const { id: invited } = await ada.client.collaborators.invite(id, { email: ben.email, role: 'editor' });
  await ben.client.collaborators.accept(id, invited);
  await ada.client.branchRules.create(id, { pattern: 'main', approvals: 1, no_direct_push: true });
  await expect(commit(ada.client, id, { '/hello.txt': 'two\n' })).rejects.toMatchObject({ status: 409 });

  const clone = join(home, 'protected');
  await runAs(ada, home, 'btg', 'clone', id, clone);
  const git = (...args: string[]) => runAs(ada, clone, 'git', ...args);
  writeFileSync(join(clone, 'hello.txt'), 'two\n');
  await git('commit', '--quiet', '-am', 'Say two');
  await expect(git('push', 'origin', 'main')).rejects.toThrow('git push origin HEAD:refs/for/main');
  await git('push', '--quiet', 'origin', 'HEAD:refs/for/main');
  await ben.client.mergeRequests.submitReview(id, '1', { event: 'APPROVE' });
  expect(await ada.client.mergeRequests.merge(id, '1', {})).toMatchObject({ state: 'merged' });
  await git('pull', '--quiet', '--rebase');
  expect(await readFile(join(clone, 'hello.txt'), 'utf8')).toBe('two\n');
});

test('somebody who can only read a project forks it, and their change comes to main', async () => {
  const [ada, ben] = [await newPerson(), await newPerson({ name: 'Ben' })];
  const check = { checks: { same: { run: 'grep one hello.txt' } } };
  const id = await projectWith(ada.client, { '/hello.txt': 'one\n', '/bottega.json': JSON.stringify(check) });
  await ada.client.projects.update(id, { settings: { public: true } });
  const fork = join(home, 'fork');
  await runAs(ben, home, 'btg', 'fork', id, fork, '--name', 'Copy');
  const git = (...args: string[]) => runAs(ben, fork, 'git', ...args);
  const push = async (text: string, message: string) => {
    writeFileSync(join(fork, 'hello.txt'), text);
    await git('commit', '--quiet', '-am', message);
    await git('push', '--quiet', 'origin', 'more');
  };
  await git('checkout', '--quiet', '-b', 'more');
  await push('one\ntwo\n', 'Say two');
  await runAs(ben, fork, 'btg', 'mr', 'create', '--upstream');
  await push('one\ntwo\nthree\n', 'Say three');
  const { head_sha } = await waitFor('the second push is a version', async () => {
    const request = await ada.client.mergeRequests.get(id, '1');
    return request.version === 2 && request;
  });
  await waitFor('its checks wait', async () => (await ada.client.mergeRequests.checks(id, '1')).needs_start);
  expect(await runAs(ada, home, 'btg', 'mr', 'checks', '1', '--start', '--wait', '-p', id)).toMatch(/same +.*success/);
  expect(await ada.client.mergeRequests.merge(id, '1', { head_sha })).toMatchObject({
    ...{ state: 'merged', source: 'more', source_project: { name: 'Copy' } },
  });
  expect(await runAs(ada, home, 'btg', 'files', 'cat', '/hello.txt', '-p', id)).toBe('one\ntwo\nthree\n');
});
