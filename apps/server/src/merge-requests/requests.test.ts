import { createHash } from 'node:crypto';
import type { MergeRequest, MergeRequestDiff, MergeRequestVersion } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { causeOfRun } from '../foundation/http/index.ts';
import { deleteBranch } from '../repository/files/index.ts';
import { change } from '../repository/merging/merging.fixture.ts';
import { flushPkt, pktLine } from '../repository/objects/pkt-line.ts';
import { useGitClient } from '../repository/smart-http/git-client.fixture.ts';
import { conflicting, expectError, invalid, missing, refused } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { contentAt, history, inProject, newPlace, writeFile } from '../testing/samples/sample-files.ts';
import { addCollaborator } from '../testing/samples/sample-projects.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { ask, opened as openedIn, push } from './merge-requests.fixture.ts';
import { deleteSource } from './merging/index.ts';
import type { DeleteBranch } from './merging/land.service.ts';
import { findRequest } from './state/index.ts';

const service = useTestService();
const client = useGitClient(service);
const opened = (json: Record<string, unknown> = {}) => openedIn(service, client, json);

describe('a merge request', () => {
  test('has its own number in the project, and is listed newest first', async () => {
    const place = await opened();
    await inProject(place, 'POST', '/branches', { json: { name: 'other', from: 'feature' } });
    const second = await ask(place, 'POST', '', { source: 'other', title: 'Another', labels: ['bug'], draft: true });
    expect(second.body).toMatchObject({ number: 2, state: 'open', draft: true, labels: ['bug'], version: 1 });
    const listed = await ask<{ data: MergeRequest[] }>(place, 'GET', '?state=open');
    expect(listed.body.data.map(({ number, source }) => [number, source])).toEqual([
      [2, 'other'],
      [1, 'feature'],
    ]);
    const labelled = await ask<{ data: MergeRequest[] }>(place, 'GET', '?label=bug&author=me');
    expect(labelled.body.data.map(({ number }) => number)).toEqual([2]);
    expect((await ask(place, 'GET', 3)).status).toBe(404);
  });

  test('is refused if its branches are missing or the same, or already have an open request', async () => {
    const place = await opened();
    const create = (json: Record<string, unknown>) => ask(place, 'POST', '', { title: 'x', ...json });
    expectError(await create({ source: 'nothing' }), invalid);
    expectError(await create({ source: 'feature', target: 'nothing' }), invalid);
    expectError(await create({ source: 'main' }), invalid);
    expectError(await create({ source: 'feature' }), conflicting);
    expectError(await create({ source: 'feature', reviewers: ['usr_1'] }), invalid);
  });

  test('is refused if its source is behind the target, so that nothing would be merged', async () => {
    const { clone, ...place } = await opened();
    await clone.git('push', '--quiet', 'origin', 'main~1:refs/heads/behind');
    const answer = await ask(place, 'POST', '', { source: 'behind', title: 'x' });
    expectError(answer, { ...invalid, field: 'source' });
    const pushed = await clone.tryGit('push', 'origin', 'main~1:refs/for/main');
    expect(pushed.stderr).toContain('main already has these commits');
    expect((await ask(place, 'GET', 2)).status).toBe(404);
  });

  test('is neither reopened nor given another target if these branches already have an open request', async () => {
    const place = await opened();
    await ask(place, 'PATCH', 1, { state: 'closed' });
    await inProject(place, 'POST', '/branches', { json: { name: 'other', from: 'main' } });
    for (const target of ['main', 'other']) {
      const another = await ask(place, 'POST', '', { source: 'feature', target, title: `For ${target}` });
      expect(another.status, another.text).toBe(201);
    }
    expectError(await ask(place, 'PATCH', 1, { state: 'open' }), conflicting);
    expectError(await ask(place, 'PATCH', 3, { target: 'main' }), conflicting);
    expect((await ask(place, 'GET', 1)).body.state).toBe('closed');
    expect((await ask(place, 'GET', 3)).body.target).toBe('other');
  });

  test('gets a version with each push, and keeps what a forced push replaces', async () => {
    const place = await opened();
    const { clone, number } = place;
    await clone.git('checkout', '--quiet', 'feature');
    const first = (await clone.git('rev-parse', 'HEAD')).trim();
    await change(clone, 'More', { 'a.txt': '1\n2\nthree\nfour\n5\n' });
    await push(place);
    await clone.git('reset', '--quiet', '--hard', 'HEAD~2');
    const third = await change(clone, 'Otherwise', { 'a.txt': '1\n2\ntrois\n4\n5\n' });
    await push(place, '--force');
    const { body } = await ask<{ data: MergeRequestVersion[] }>(place, 'GET', `/${number}/versions`);
    expect(body.data.map(({ version }) => version)).toEqual([3, 2, 1]);
    expect(body.data.map(({ head_sha }) => head_sha)).toEqual([third, expect.any(String), first]);
    expect((await ask(place, 'GET', number)).body).toMatchObject({ version: 3, head_sha: third });
    await clone.git('fetch', '--quiet', 'origin', `refs/merge-requests/${number}/head`);
    expect((await clone.git('rev-parse', 'FETCH_HEAD')).trim()).toBe(third);
    const between = await ask<MergeRequestDiff>(place, 'GET', `/${number}/diff?from=1&to=3`);
    expect(between.body.files).toEqual([expect.objectContaining({ path: '/a.txt', additions: 1, deletions: 1 })]);
    expect(between.body.files[0]?.diff).toContain('-three\n+trois');
  });

  test('has version numbers up to the limit of the database, and refuses larger ones', async () => {
    const place = await opened();
    const diff = (query: string) => ask(place, 'GET', `/${place.number}/diff?${query}`);
    expect((await diff('to=2147483647')).status).toBe(404);
    expect((await diff('to=2147483648')).status).toBe(400);
    expect((await diff('from=2147483648')).status).toBe(400);
    const thread = { version: 2_147_483_648, path: '/a.txt', line: 1, body: 'Why?' };
    expectError(await ask(place, 'POST', `/${place.number}/threads`, thread), invalid);
  });

  test('counts the changed lines of all files if asked, including files without a diff', async () => {
    const base = { 'a.txt': '1\n2\n3\n', 'b.txt': 'b\n', 'gone.txt': '1\n2\n', 'moved.txt': 'same\n' };
    const theirs = {
      'a.txt': '1\ntwo\n3\n4\n',
      'gone.txt': null,
      'image.bin': Buffer.from([0, 1, 2]),
      'large.txt': 'x\n'.repeat(200_000),
      'moved.txt': null,
      'moved-here.txt': 'same\n',
      'new.txt': '1\n2\n3',
    };
    const place = await opened({ files: { base, ours: { 'b.txt': 'ours\n' }, theirs } });
    const counted = async (query: string) =>
      (await ask<MergeRequestDiff>(place, 'GET', `/${place.number}/diff?${query}`)).body.files.map(
        ({ path, additions, deletions, diff }) => [path, additions, deletions, diff !== null],
      );
    expect(await counted('diffs=1&counts=true')).toEqual([
      ['/a.txt', 2, 1, true],
      ['/gone.txt', 0, 2, false],
      ['/image.bin', 0, 0, false],
      ['/large.txt', 0, 0, false],
      ['/moved-here.txt', 0, 0, false],
      ['/new.txt', 3, 0, false],
    ]);
    expect((await counted('diffs=0')).map((counts) => counts.slice(1))).toEqual(Array(6).fill([0, 0, false]));
  });

  test('shows its changes since the merge base, without what the target got meanwhile', async () => {
    const place = await opened();
    const { body } = await ask<MergeRequestDiff>(place, 'GET', `/${place.number}/diff`);
    expect(body.files.map(({ path }) => path)).toEqual(['/a.txt']);
    expect(body.files[0]?.diff).toContain('-3\n+three');
  });

  test('shows several commits through the API as one version when somebody reads it', async () => {
    const place = await opened();
    for (const text of ['one', 'two', 'three']) await writeFile({ ...place, branch: 'feature' }, '/c.txt', text);
    expect((await ask(place, 'GET', place.number)).body.version).toBe(2);
    expect((await ask(place, 'GET', place.number)).body.version).toBe(2);
  });

  test.each([
    ['merge', 'Merge branch'],
    ['squash', 'Say three (!1)'],
    ['rebase', 'Theirs'],
  ])('is merged with the strategy %s, and says so', async (strategy, message) => {
    const place = await opened();
    const { body: before } = await ask(place, 'GET', place.number);
    const answer = await ask(place, 'POST', `/${place.number}/merge`, { strategy, head_sha: before.head_sha });
    expect(answer.body, answer.text).toMatchObject({ state: 'merged', merged_by: { id: place.user.id } });
    const { data } = await history(place);
    expect(data[0]).toMatchObject({ sha: answer.body.merge_sha, message: expect.stringContaining(message) });
    expect(data[0]?.parents).toHaveLength(strategy === 'merge' ? 2 : 1);
    expect(await contentAt(place, '/a.txt')).toBe('1\n2\nthree\n4\n5\n');
    expect(await contentAt(place, '/b.txt')).toBe('ours\n');
    const again = await ask(place, 'POST', `/${place.number}/merge`, {});
    expect(again.body).toMatchObject({ state: 'merged', merge_sha: answer.body.merge_sha });
  });

  test('is not merged as a draft, when closed, or when its commits differ from those that the reader saw', async () => {
    const place = await opened({ draft: true });
    const merge = (json: Record<string, unknown> = {}) => ask(place, 'POST', `/${place.number}/merge`, json);
    expectError(await merge(), conflicting);
    await ask(place, 'PATCH', place.number, { draft: false, state: 'closed' });
    expectError(await merge(), conflicting);
    await ask(place, 'PATCH', place.number, { state: 'open' });
    expectError(await merge({ head_sha: '0'.repeat(40) }), conflicting);
    expect((await history(place)).data[0]?.message).toBe('Ours');
  });

  test('is closed when its source is deleted', async () => {
    const place = await opened();
    expect((await inProject(place, 'DELETE', '/branches/feature')).status).toBe(204);
    expect((await ask(place, 'GET', place.number)).body.state).toBe('closed');
    expectError(await ask(place, 'PATCH', place.number, { state: 'open' }), conflicting);
  });

  test('is read by viewers, changed by its author and writers, and hidden from strangers', async () => {
    const place = await opened();
    const viewer = await service.createUser();
    await addCollaborator(service, place.projectId, viewer, { role: 'viewer' });
    const asViewer = { ...place, user: viewer };
    expect((await ask(asViewer, 'GET', place.number)).status).toBe(200);
    expectError(await ask(asViewer, 'PATCH', place.number, { title: 'x' }), refused);
    expectError(await ask(asViewer, 'POST', `/${place.number}/merge`, {}), refused);
    expectError(await ask({ ...place, user: await service.createUser() }, 'GET', place.number), missing);
  });

  test('is marked as merged when its commits reach the target in another way', async () => {
    const { clone, ...place } = await opened();
    await clone.git('merge', '--quiet', '--no-edit', 'feature');
    await clone.git('push', '--quiet', 'origin', 'main');
    const tip = (await clone.git('rev-parse', 'HEAD')).trim();
    expect((await ask(place, 'GET', place.number)).body).toMatchObject({ state: 'merged', merge_sha: tip });
  });

  test('deletes its source after the merge if asked to', async () => {
    const place = await opened();
    const answer = await ask(place, 'POST', `/${place.number}/merge`, { strategy: 'squash', delete_branch: true });
    expect(answer.body).toMatchObject({ state: 'merged' });
    const { body } = await inProject<{ data: { name: string }[] }>(place, 'GET', '/branches');
    expect(body.data.map(({ name }) => name)).toEqual(['main']);
  });

  test('keeps its source if somebody has written to it since the merge', async () => {
    const place = await opened();
    const { db } = service;
    const row = await findRequest(db, place.projectId, place.number);
    if (!row) throw new Error('there is no request');
    expect((await ask(place, 'POST', `/${place.number}/merge`, {})).body.state).toBe('merged');
    await writeFile({ ...place, branch: 'feature' }, '/late.txt', 'late\n');
    const remove = (asked: Parameters<DeleteBranch>[0]) => deleteBranch({ db, pushed: async () => undefined }, asked);
    await deleteSource({ deleteBranch: remove }, row, { userId: place.user.id, cause: causeOfRun(place.user.id) });
    expect(await contentAt({ ...place, branch: 'feature' }, '/late.txt')).toBe('late\n');
  });
});

describe('a push to refs/for/', () => {
  test('opens a merge request, and a second push becomes its next version', async () => {
    const place = await newPlace(service);
    const clone = await client.clone(place.projectId, place.user);
    await clone.commit('Base', { 'a.txt': 'a\n' });
    await clone.git('push', '--quiet', 'origin', 'HEAD:main');
    await clone.commit('Say hello, in French', { 'a.txt': 'bonjour\n' });
    const first = await clone.tryGit('push', 'origin', 'HEAD:refs/for/main');
    expect(first.stderr).toContain('Merge request !1: http');
    const { body } = await ask(place, 'GET', 1);
    expect(body).toMatchObject({ title: 'Say hello, in French', source: 'say-hello-in-french', version: 1 });
    await clone.write('a.txt', 'salut\n');
    await clone.git('commit', '--quiet', '--all', '--amend', '--no-edit');
    const second = await clone.tryGit('push', 'origin', 'HEAD:refs/for/main');
    expect(second.stderr).toContain('Merge request !1 has version 2');
  });

  test('accepts a title, a description, a name for the branch and a draft as options', async () => {
    const place = await newPlace(service);
    const clone = await client.clone(place.projectId, place.user);
    await clone.commit('Base', { 'a.txt': 'a\n' });
    await clone.git('push', '--quiet', 'origin', 'HEAD:main');
    await clone.commit('x', { 'a.txt': 'b\n' });
    const options = ['title=Grüße', 'description=Why = because', 'topic=greetings', 'draft'];
    const sent = options.flatMap((option) => ['-o', option]);
    await clone.git('push', '--quiet', ...sent, 'origin', 'HEAD:refs/for/main');
    const { body } = await ask(place, 'GET', 1);
    expect(body).toMatchObject({ title: 'Grüße', description: 'Why = because', source: 'greetings', draft: true });
  });

  test('opens the request if an earlier push stored the branch, but the request could not be opened', async () => {
    const { clone, ...place } = await opened();
    await clone.git('checkout', '--quiet', '-b', 'local', 'main');
    await clone.commit('Other', { 'c.txt': 'c\n' });
    // As the earlier push left it.
    await clone.git('push', '--quiet', 'origin', 'HEAD:refs/heads/topic');
    const again = await clone.tryGit('push', '-o', 'topic=topic', 'origin', 'HEAD:refs/for/main');
    expect(again.stderr).toContain('Merge request !2: http');
    expect((await ask(place, 'GET', 2)).body).toMatchObject({ source: 'topic', title: 'Other', version: 1 });
  });

  test('opens the request with spaces instead of control characters, which git does not send', async () => {
    const { clone, ...place } = await opened();
    await clone.git('checkout', '--quiet', '-b', 'local', 'main');
    const sha = await clone.commit('Other', { 'c.txt': 'c\n' });
    await clone.git('push', '--quiet', 'origin', 'HEAD:refs/heads/known');
    const pack = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
    const body = Buffer.concat([
      pktLine(`${'0'.repeat(40)} ${sha} refs/for/main\0 report-status push-options\n`),
      flushPkt,
      ...['topic=topic', 'description=One\0\x1b[2J\ntwo\t'].map(pktLine),
      flushPkt,
      pack,
      createHash('sha1').update(pack).digest(),
    ]);
    const answer = await call('POST', `${service.url}/git/${place.projectId}.git/git-receive-pack`, {
      headers: {
        authorization: `Basic ${Buffer.from(`x:${place.user.key}`).toString('base64')}`,
        'content-type': 'application/x-git-receive-pack-request',
      },
      body: new Uint8Array(body),
    });
    expect(answer.text).toContain('ok refs/for/main');
    expect((await ask(place, 'GET', 2)).body).toMatchObject({ source: 'topic', description: 'One [2J\ntwo\t' });
  });

  test('is refused, with the reason, if the target does not exist or the branch name is taken', async () => {
    const place = await opened();
    await place.clone.git('checkout', '--quiet', '-b', 'local', 'main');
    await place.clone.commit('Other', { 'c.txt': 'c\n' });
    const nowhere = await place.clone.tryGit('push', 'origin', 'HEAD:refs/for/nothing');
    expect(nowhere.stderr).toContain('nothing is not a branch of the project');
    await inProject(place, 'POST', '/branches', { json: { name: 'kept' } });
    const taken = await place.clone.tryGit('push', '-o', 'topic=kept', 'origin', 'HEAD:refs/for/main');
    expect(taken.stderr).toContain('choose another name with -o topic=NAME');
  });
});

test('the requests that wait for a user are those that they should review and have not reviewed', async () => {
  const place = await opened();
  const reviewer = await service.createUser();
  await addCollaborator(service, place.projectId, reviewer, {
    role: 'editor',
    permissions: ['read', 'write', 'comment'],
  });
  const waiting = async () => {
    const address = `${service.url}/v1/user/merge-requests`;
    const { body } = await call<{ data: MergeRequest[] }>('GET', address, { token: reviewer.key });
    return body.data.map(({ number, project_name }) => [number, typeof project_name]);
  };
  expect(await waiting()).toEqual([]);
  await ask(place, 'PATCH', place.number, { reviewers: [reviewer.id] });
  expect(await waiting()).toEqual([[place.number, 'string']]);
  await ask({ ...place, user: reviewer }, 'POST', `/${place.number}/reviews`, { event: 'APPROVE' });
  expect(await waiting()).toEqual([]);
});
