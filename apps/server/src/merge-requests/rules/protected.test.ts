import type { Branch } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { type Branched, branched, merge } from '../../repository/merging/merging.fixture.ts';
import { useGitClient } from '../../repository/smart-http/git-client.fixture.ts';
import { commit, contentAt, history, idAt, inProject, newPlace, putFile } from '../../testing/samples/sample-files.ts';
import { onProject } from '../../testing/samples/sample-projects.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { ask, opened } from '../merge-requests.fixture.ts';
import { expectProtected, newEditor, protect, whileAdding } from './rules.fixture.ts';

const service = useTestService();
const client = useGitClient(service);
const sides = {
  base: { 'a.txt': '1\n2\n3\n4\n5\n' },
  ours: { 'b.txt': 'ours\n' },
  theirs: { 'a.txt': '1\n2\nthree\n4\n5\n' },
};
const hint = 'main changes only by merge requests; use: git push origin HEAD:refs/for/main';

const tipOf = async (place: Branched) => (await history(place)).data[0]?.message;

describe('a protected main', () => {
  test('refuses every write of files, by its owner and by editors', async () => {
    const owner = await branched(service, client, sides);
    const id = await idAt(owner, '/a.txt');
    await protect(owner);
    const editor = { ...owner, user: await newEditor(service, owner.projectId) };
    for (const place of [owner, editor]) {
      expectProtected(await putFile(place, { path: '/a.txt', content: 'x' }));
      expectProtected(await putFile(place, { path: '/new.txt', content: 'x', branch: 'main' }));
      expectProtected(await commit(place, [{ action: 'create', path: '/new.txt', content: 'x' }]));
      expectProtected(await inProject(place, 'DELETE', `/files/${id}`));
      expectProtected(await inProject(place, 'POST', `/files/${id}/move`, { json: { path: '/moved.txt' } }));
      expectProtected(await merge(place));
    }
    expect(await tipOf(owner)).toBe('Ours');
    expect((await putFile(owner, { path: '/a.txt', content: 'x', branch: 'feature' })).status).toBe(200);
  });

  test('is marked as protected wherever branches are read, as is a new branch whose name is protected', async () => {
    const place = await branched(service, client, sides);
    await protect(place);
    await protect(place, 'release/*');
    const create = (name: string) => inProject<Branch>(place, 'POST', '/branches', { json: { name } });
    expect((await create('release/1')).body).toMatchObject({ protected: true });
    expect((await create('released')).body).toMatchObject({ protected: false });
    expect((await inProject<Branch>(place, 'GET', '/branches/main')).body).toMatchObject({ protected: true });
    const { data } = (await inProject<{ data: Branch[] }>(place, 'GET', '/branches')).body;
    expect(data.filter((branch) => branch.protected).map(({ name }) => name)).toEqual(['main', 'release/1']);
  });

  test('accepts a write that changes nothing, as every branch does', async () => {
    const place = await branched(service, client, sides);
    await protect(place);
    expect((await putFile(place, { path: '/b.txt', content: 'ours\n' })).status).toBe(200);
    expect(await tipOf(place)).toBe('Ours');
  });

  test('refuses a push and names the command to use instead, which then works', async () => {
    const place = await branched(service, client, sides);
    const { clone } = place;
    await protect(place);
    await clone.commit('Direct', { 'c.txt': 'c\n' });
    const pushed = await clone.tryGit('push', 'origin', 'main');
    expect(pushed.ok).toBe(false);
    expect(pushed.stderr).toContain(hint);
    const proposed = await clone.tryGit('push', 'origin', 'HEAD:refs/for/main');
    expect(proposed.stderr).toContain('Merge request !1: http');
    expect((await ask(place, 'POST', '/1/merge', {})).body).toMatchObject({ state: 'merged' });
    expect(await contentAt(place, '/c.txt')).toBe('c\n');
  });

  test('refuses only its own reference in a push, or the whole push if it is atomic', async () => {
    const place = await branched(service, client, sides);
    const { clone } = place;
    await protect(place);
    await clone.commit('Direct', { 'c.txt': 'c\n' });
    const atomic = await clone.tryGit('push', '--atomic', 'origin', 'main', 'main:refs/heads/other');
    expect(atomic.stderr).toContain(hint);
    const both = await clone.tryGit('push', 'origin', 'main', 'main:refs/heads/other');
    expect(both.stderr).toContain(hint);
    const refs = await clone.git('ls-remote', '--heads', 'origin');
    expect(refs).toContain('refs/heads/other');
    expect(refs.split('\n').find((line) => line.endsWith('/main'))).not.toContain(await clone.git('rev-parse', 'HEAD'));
  });

  test('accepts merges of merge requests with every strategy', async () => {
    for (const strategy of ['merge', 'squash', 'rebase']) {
      const place = await opened(service, client);
      await protect(place);
      const answer = await ask(place, 'POST', `/${place.number}/merge`, { strategy });
      expect(answer.body, answer.text).toMatchObject({ state: 'merged' });
      expect(await contentAt(place, '/a.txt')).toBe('1\n2\nthree\n4\n5\n');
    }
  });

  test('accepts the first commit of a project, so that there is something to protect', async () => {
    const place = await newPlace(service);
    await protect(place);
    const clone = await client.clone(place.projectId, place.user);
    await clone.commit('First', { 'a.txt': 'a\n' });
    await clone.git('push', '--quiet', 'origin', 'HEAD:main');
    expectProtected(await putFile(place, { path: '/b.txt', content: 'b' }));
    const other = await newPlace(service);
    await protect(other);
    expect((await putFile(other, { path: '/a.txt', content: 'a' })).status).toBe(201);
    expectProtected(await putFile(other, { path: '/a.txt', content: 'b' }));
  });

  test('stays as it is while version control is off, so that turning it on commits nothing', async () => {
    const place = await branched(service, client, sides);
    await protect(place);
    const settings = (version_control: boolean) =>
      onProject(service, place.user, place.projectId, ['PATCH', { settings: { version_control } }]);
    await settings(false);
    expectProtected(await putFile(place, { path: '/a.txt', content: 'x' }));
    await settings(true);
    expect(await tipOf(place)).toBe('Ours');
  });

  test('is open again after its rule is deleted', async () => {
    const place = await branched(service, client, sides);
    const { id } = await protect(place);
    expectProtected(await putFile(place, { path: '/a.txt', content: 'x' }));
    await inProject(place, 'DELETE', `/branch-rules/${id}`);
    expect((await putFile(place, { path: '/a.txt', content: 'x' })).status).toBe(200);
  });
});

describe('a protected branch', () => {
  test('that matches a pattern can be created freely, and then neither changed nor deleted', async () => {
    const place = await branched(service, client, sides);
    const { clone } = place;
    await protect(place, 'release/*');
    expect((await inProject(place, 'POST', '/branches', { json: { name: 'release/1' } })).status).toBe(201);
    await clone.git('push', '--quiet', 'origin', 'feature:refs/heads/release/2');
    for (const branch of ['release/1', 'release/2']) {
      expectProtected(await putFile(place, { path: '/a.txt', content: 'x', branch }), branch);
      expectProtected(await inProject(place, 'DELETE', `/branches/${encodeURIComponent(branch)}`), branch);
      const deleted = await clone.tryGit('push', 'origin', '--delete', branch);
      expect(deleted.stderr).toContain(`${branch} is protected and cannot be deleted`);
      const forced = await clone.tryGit('push', '--force', 'origin', `main~1:refs/heads/${branch}`);
      expect(forced.stderr).toContain(`HEAD:refs/for/${branch}`);
    }
    const created = { path: '/a.txt', content: 'x', branch: 'release/3', create_branch_from: 'main' };
    expectProtected(await putFile(place, created), 'release/3');
    expect(await clone.git('ls-remote', '--heads', 'origin', 'release/3')).toBe('');
  });

  test('stays after its merge request is merged, even if the merge should delete it', async () => {
    const place = await opened(service, client);
    await protect(place, 'feature');
    const answer = await ask(place, 'POST', `/${place.number}/merge`, { delete_branch: true });
    expect(answer.body, answer.text).toMatchObject({ state: 'merged' });
    expect(await place.clone.git('ls-remote', '--heads', 'origin', 'feature')).not.toBe('');
  });

  test('accepts no suggestions', async () => {
    const place = await opened(service, client);
    const json = { path: '/a.txt', line: 3, body: '```suggestion\ndrei\n```' };
    const thread = await ask<{ comments: { id: string }[] }>(place, 'POST', `/${place.number}/threads`, json);
    await protect(place, 'feature');
    const comments = thread.body.comments.map(({ id }) => id);
    const applied = await ask(place, 'POST', `/${place.number}/suggestions/apply`, { comments });
    expectProtected(applied, 'feature');
  });
});

const whileWaiting = <Result>(place: Branched, work: () => Promise<Result>) =>
  whileAdding(service, place, { pattern: 'main', no_direct_push: true }, work);

describe('a rule that is added while a change waits', () => {
  test('applies to a push that has arrived and waits for the project', async () => {
    const place = await branched(service, client, sides);
    await place.clone.commit('Late', { 'c.txt': 'c\n' });
    const pushed = await whileWaiting(place, () => place.clone.tryGit('push', 'origin', 'main'));
    expect(pushed.stderr).toContain(hint);
    expect(await tipOf(place)).toBe('Ours');
  });

  test('applies to a write and to a merge that wait for the project', async () => {
    const place = await branched(service, client, sides);
    expectProtected(await whileWaiting(place, () => putFile(place, { path: '/a.txt', content: 'x' })));
    const other = await branched(service, client, sides);
    expectProtected(await whileWaiting(other, () => merge(other)));
    expect([await tipOf(place), await tipOf(other)]).toEqual(['Ours', 'Ours']);
  });
});
