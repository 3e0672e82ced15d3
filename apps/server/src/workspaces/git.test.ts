import type { WorkspaceCommandResult } from '@bottega/contract';
import { expect, test } from 'vitest';
import { call } from '../testing/clients/http-client.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { contentAt, history, listPaths, writeFile } from '../testing/samples/sample-files.ts';
import { addCollaborator } from '../testing/samples/sample-projects.ts';
import {
  type InWorkspace,
  inWorkspace,
  newWorkspace,
  run,
  workspacePrograms,
  workspaceSettings,
} from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';

/** Runs a command that must succeed. */
async function sh(at: InWorkspace, command: string): Promise<string> {
  const done = await run(at, command);
  expect(done.exit_code, `${command}: ${done.stdout}${done.stderr}`).toBe(0);
  return done.stdout;
}

describeWith([...workspacePrograms, 'git'], 'git in a workspace', () => {
  const service = useTestService({ settings: workspaceSettings });

  test('shows the history of the branch, and nothing to commit', async () => {
    const place = await projectOf(service, { '/a.txt': 'one\n', '/deep/b.txt': 'b\n', '/.gitignore': 'cache/\n' });
    await writeFile(place, '/a.txt', 'two\n');
    const at = await newWorkspace(place);
    expect(await sh(at, 'git status --porcelain; git symbolic-ref HEAD; git log --format=%s')).toBe(
      'refs/heads/main\nWrite a.txt\nBegin\n',
    );
    expect(await sh(at, 'git fsck 2>&1; git diff HEAD~1 --stat | tail -1')).toContain('1 insertion(+), 1 deletion(-)');
    expect(await sh(at, 'mkdir node_modules; touch node_modules/x; git status --porcelain')).toBe('');
    expect(await listPaths(place)).toEqual(['/.gitignore', '/a.txt', '/deep', '/deep/b.txt']);
  });

  test('commits as the person, and a push keeps message and author even if the files were saved before', async () => {
    const place = await projectOf(service, { '/a.txt': 'one\n' });
    const at = await newWorkspace(place);
    await sh(at, 'echo two >> a.txt; echo new > b.txt');
    expect(await sh(at, 'git status --porcelain')).toBe(' M a.txt\n?? b.txt\n');
    expect(await contentAt(place, '/b.txt')).toBe('new\n');
    await sh(at, 'git add -A && git commit -qm "Say more" && git push');
    const { data } = await history(place);
    const said = data.find(({ message }) => message === 'Say more');
    expect(said).toMatchObject({ author: { name: place.user.name, email: place.user.email } });
    expect(await contentAt(place, '/a.txt')).toBe('one\ntwo\n');
    const pulled = await sh(at, 'git pull 2>&1; git status --porcelain; git rev-parse HEAD');
    expect(pulled).toContain('Fast-forward');
    expect(pulled.trim().endsWith(data[0]?.sha ?? '')).toBe(true);
  });

  test('pulls and merges changes of others, even if these reached the disk before', async () => {
    const place = await projectOf(service, { '/a.txt': '1\n2\n3\n4\n5\n6\n', '/b.txt': 'b\n' });
    const at = await newWorkspace(place);
    await sh(at, 'true');
    await writeFile(place, '/a.txt', 'one\n2\n3\n4\n5\n6\n');
    expect(await sh(at, 'git status --porcelain')).toBe(' M a.txt\n');
    await sh(at, 'git pull -q 2>&1');
    expect(await sh(at, 'git status --porcelain')).toBe('');
    await sh(at, 'sed -i s/6/six/ a.txt && git commit -qam Six && git push 2>&1');
    expect(await contentAt(place, '/a.txt')).toBe('one\n2\n3\n4\n5\nsix\n');
  });

  test('refuses a push that conflicts with the branch, and leaves the branch as it is', async () => {
    const place = await projectOf(service, { '/a.txt': 'one\n' });
    const at = await newWorkspace(place);
    // A commit that is not on the disk of the branch, so that nothing of it is saved before the push.
    await sh(
      at,
      'blob=$(echo mine | git hash-object -w --stdin) && git update-index --cacheinfo 100644,$blob,a.txt && git commit -qm Mine',
    );
    await writeFile(place, '/a.txt', 'theirs\n');
    const refused = await run(at, 'git push 2>&1');
    expect(refused.exit_code).not.toBe(0);
    expect(refused.stdout).toContain('a.txt conflicts with a change on the branch; pull first');
    expect(await contentAt(place, '/a.txt')).toBe('theirs\n');
  });

  test('pushes as the person who started the command, with their rights at that moment', async () => {
    const place = await projectOf(service, { '/a.txt': 'a\n' });
    const editor = await service.createUser();
    const membership = await addCollaborator(service, place.projectId, editor, { role: 'editor' });
    const at = await newWorkspace(place);
    const theirs = { ...at, user: editor };
    await sh(theirs, 'echo b > b.txt; git add -A; git commit -qm "By the editor"; git push 2>&1');
    const { data } = await history(place);
    expect(data.find(({ message }) => message === 'By the editor')?.author.email).toBe(editor.email);
    const command = 'git commit -q --allow-empty -m Late; touch /tmp/ready; read go; git push 2>&1; git fetch 2>&1';
    const { body } = await inWorkspace<{ id: string }>(theirs, 'POST', '/commands', { command, background: true });
    await waitFor('the commit', async () => (await run(at, 'ls /tmp/ready')).exit_code === 0);
    await service.db
      .updateTable('collaborators')
      .set({ permissions: ['read'] })
      .where('id', '=', membership)
      .execute();
    await inWorkspace(at, 'POST', `/commands/${body.id}/stdin`, { data: 'go\n' });
    const ended = await waitFor('its end', async () => {
      const answer = await inWorkspace<WorkspaceCommandResult>(at, 'GET', `/commands/${body.id}`);
      return answer.body.status === 'exited' && answer.body;
    });
    expect(ended.stdout).toContain('remote error: You do not have permission to write to this project');
    expect(ended.exit_code).toBe(0);
    expect((await history(place)).data.map(({ message }) => message)).not.toContain('Late');
  });

  test('can replace a branch with a forced push, like git over HTTP, but never main', async () => {
    const place = await projectOf(service, { '/a.txt': 'a\n' });
    const at = await newWorkspace(place);
    await sh(at, 'git checkout -qb topic && echo first > a.txt && git commit -qam First && git push 2>&1');
    await sh(at, 'echo better > a.txt && git commit -qa --amend -m Better && git push --force 2>&1');
    const messages = async (branch: string) =>
      (await history({ ...place, branch }, '?limit=50')).data.map(({ message }) => message);
    expect(await messages('topic')).toContain('Better');
    expect(await messages('topic')).not.toContain('First');
    expect(await contentAt({ ...place, branch: 'topic' }, '/a.txt')).toBe('better\n');
    const refused = await run(at, 'git push -f origin HEAD~1:main 2>&1; git push -f origin topic:main 2>&1');
    expect(await messages('main'), refused.stdout).toContain('Begin');
    const rewritten = await run(at, 'git checkout -q main && git commit -q --amend -m Rewritten && git push -f 2>&1');
    expect(rewritten.exit_code).not.toBe(0);
    expect(rewritten.stdout).toContain('does not accept force pushes');
  });

  test('can push to a branch on which somebody saves a file after git has seen its tip', async () => {
    const place = await projectOf(service, { '/a.txt': 'a\n' });
    const at = await newWorkspace(place);
    const hook = 'touch /tmp/greeted; until [ -e theirs.txt ]; do sleep 0.05; done';
    await sh(
      at,
      `mkdir -p .git/hooks && printf '#!/bin/sh\\n${hook}\\n' > .git/hooks/pre-push && chmod +x .git/hooks/pre-push`,
    );
    // The file may be saved before git commits it. Then there is nothing left to commit.
    const command = 'echo mine > a.txt && git commit -q --allow-empty -am Mine && git push 2>&1';
    const { body } = await inWorkspace<{ id: string }>(at, 'POST', '/commands', { command, background: true });
    await waitFor('git has seen the tip', async () => (await run(at, 'ls /tmp/greeted')).exit_code === 0);
    await writeFile(place, '/theirs.txt', 'theirs\n');
    const ended = await waitFor('the push', async () => {
      const answer = await inWorkspace<WorkspaceCommandResult>(at, 'GET', `/commands/${body.id}`);
      return answer.body.status === 'exited' && answer.body;
    });
    expect(ended, ended.stdout).toMatchObject({ exit_code: 0 });
    expect(await contentAt(place, '/a.txt')).toBe('mine\n');
    expect(await contentAt(place, '/theirs.txt')).toBe('theirs\n');
  });

  test('does nothing for an account that is suspended while its command runs', async () => {
    const place = await projectOf(service, { '/a.txt': 'a\n' });
    const editor = await service.createUser();
    await addCollaborator(service, place.projectId, editor, { role: 'editor' });
    const at = await newWorkspace(place);
    const command = 'touch /tmp/ready; read go; git fetch 2>&1';
    const theirs = { ...at, user: editor };
    const { body } = await inWorkspace<{ id: string }>(theirs, 'POST', '/commands', { command, background: true });
    await waitFor('it runs', async () => (await run(at, 'ls /tmp/ready')).exit_code === 0);
    await service.db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', editor.id).execute();
    await inWorkspace(at, 'POST', `/commands/${body.id}/stdin`, { data: 'go\n' });
    const ended = await waitFor('its end', async () => {
      const answer = await inWorkspace<WorkspaceCommandResult>(at, 'GET', `/commands/${body.id}`);
      return answer.body.status === 'exited' && answer.body;
    });
    expect(ended.stdout).toContain('The account is suspended');
  });

  test('has a token that is valid for one command of one workspace, and for nothing else', async () => {
    const place = await projectOf(service, { '/a.txt': 'a\n' });
    const [one, other] = [await newWorkspace(place), await newWorkspace(place)];
    const token = (await sh(one, 'echo $BOTTEGA_GIT_TOKEN')).trim();
    expect(token).toMatch(/^[\w-]{32}$/);
    const fetching = `BOTTEGA_GIT_TOKEN=${token} git fetch 2>&1`;
    for (const at of [one, other]) {
      const refused = await run(at, fetching);
      expect(refused.exit_code).not.toBe(0);
      expect(refused.stdout).toContain('the command that started this git process has ended');
    }
    expect((await run(one, 'env -u BOTTEGA_GIT_TOKEN git fetch 2>&1')).stdout).toContain('a person has started');
    const direct = await call('GET', `${service.url}/git/${place.projectId}.git/info/refs?service=git-upload-pack`, {
      headers: { authorization: `Basic ${Buffer.from(`git:${token}`).toString('base64')}` },
    });
    expect(direct.status).toBe(401);
  });
});
