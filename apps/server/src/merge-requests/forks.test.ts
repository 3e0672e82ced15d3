import type { MergeRequest, Notification, RequestChecks, ReviewThread } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { useGitClient } from '../repository/smart-http/git-client.fixture.ts';
import { expectError } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { goodClaims, signJwt } from '../testing/clients/service-jwt.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { buildSettings } from '../testing/samples/sample-deployments.ts';
import { contentAt, inProject, newPlace } from '../testing/samples/sample-files.ts';
import { addCollaborator, onProject } from '../testing/samples/sample-projects.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { forked, offer, offered, untilVersion } from './forks.fixture.ts';
import { ask } from './merge-requests.fixture.ts';
import { checksOf, queue, readRequest, untilChecked, untilMerged, withChecks, write } from './queue.fixture.ts';

const service = useTestService({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });
const client = useGitClient(service);

describe('a merge request from a fork', () => {
  test('is opened by somebody who can only read the project, and merged by a member', async () => {
    const place = await forked(service);
    const { fork, project } = place;
    const row = await offered(place, { '/b.txt': 'from outside\n' });
    expect(row).toMatchObject({
      ...{ source: 'feature', source_problem: null, state: 'open', version: 1 },
      source_project: { id: fork.projectId, name: expect.any(String) },
      author: { id: fork.user.id },
    });
    const fromHere = await ask<{ data: MergeRequest[] }>(project, 'GET', '?source=feature');
    expect(fromHere.body.data).toEqual([]);
    const diff = await ask<{ files: { path: string }[] }>(project, 'GET', `/${row.number}/diff`);
    expect(diff.body.files.map(({ path }) => path)).toEqual(['/b.txt']);
    const merged = await ask(project, 'POST', `/${row.number}/merge`, { head_sha: row.head_sha, delete_branch: true });
    expect(merged.status, merged.text).toBe(200);
    expect(merged.body.state).toBe('merged');
    expect(await contentAt(project, '/b.txt')).toBe('from outside\n');
    expect(await contentAt({ ...fork, branch: 'feature' }, '/b.txt')).toBe('from outside\n');
    const clone = await client.clone(project.projectId, project.user);
    await clone.git('fsck', '--strict');
  });

  test.each(['squash', 'rebase', 'fast_forward'])('is merged with the strategy %s', async (strategy) => {
    const place = await forked(service);
    const { number } = await offered(place, { '/b.txt': 'from outside\n' });
    const merged = await ask(place.project, 'POST', `/${number}/merge`, { strategy });
    expect(merged.status, merged.text).toBe(200);
    expect(await contentAt(place.project, '/b.txt')).toBe('from outside\n');
  });

  test('gets a version for each push or write to the fork, and is closed when its branch there is deleted', async () => {
    const place = await forked(service);
    const { number } = await offered(place, { '/b.txt': 'one\n' });
    await write(place.fork, 'feature', '/b.txt', 'two\n');
    await untilVersion(place.project, number, 2);
    const clone = await client.clone(place.fork.projectId, place.fork.user);
    await clone.git('checkout', '--quiet', 'feature');
    await clone.commit('Third', { 'b.txt': 'three\n' });
    await clone.git('push', '--quiet', 'origin', 'feature');
    const third = await untilVersion(place.project, number, 3);
    expect(third.head_sha).toBe(await clone.git('rev-parse', 'HEAD'));
    const between = await ask<{ files: { diff: string }[] }>(place.outside, 'GET', `/${number}/diff?from=1&to=3`);
    expect(between.body.files[0]?.diff).toContain('+three');
    await clone.git('push', '--quiet', 'origin', ':feature');
    await waitFor('it is closed', async () => (await readRequest(place.project, number)).state === 'closed');
  });

  test('is discussed by its author, who can comment on no other request', async () => {
    const place = await forked(service);
    const { number } = await offered(place, { '/b.txt': 'one\n' });
    const thread = { path: '/b.txt', line: 1, body: 'Why?' };
    const begun = await ask<ReviewThread>(place.project, 'POST', `/${number}/threads`, thread);
    expect(begun.status, begun.text).toBe(201);
    const reply = await ask(place.outside, 'POST', `/${number}/threads/${begun.body.id}/comments`, { body: 'So.' });
    expect(reply.status, reply.text).toBe(201);
    const stranger = { ...place.outside, user: await service.createUser() };
    const refused = await ask(stranger, 'POST', `/${number}/threads`, thread);
    expectError(refused, { status: 403, code: 'AUTHORIZATION_ERROR' });
    await write(place.project, 'inside', '/c.txt', 'c\n');
    const inside = await ask(place.project, 'POST', '', { source: 'inside', title: 'Inside' });
    expectError(await ask(place.outside, 'POST', `/${inside.body.number}/threads`, { body: 'Hm' }), {
      ...{ status: 403, code: 'AUTHORIZATION_ERROR' },
    });
  });

  test('is changed by its author, except for people and labels, and merged by nobody outside the project', async () => {
    const place = await forked(service);
    const { number } = await offered(place, { '/b.txt': 'one\n' });
    const renamed = await ask(place.outside, 'PATCH', number, { title: 'Better', description: 'Why' });
    expect(renamed.body).toMatchObject({ title: 'Better', description: 'Why' });
    for (const [method, path, json] of [
      ['PATCH', `/${number}`, { labels: ['mine'] }],
      ['PATCH', `/${number}`, { reviewers: [place.project.user.id] }],
      ['POST', `/${number}/merge`, {}],
      ['POST', `/${number}/queue`, {}],
      ['POST', `/${number}/checks`, { head_sha: renamed.body.head_sha }],
    ] as const) {
      expectError(await ask(place.outside, method, path, json), { status: 403, code: 'AUTHORIZATION_ERROR' });
    }
    expectError(await offer(place, { labels: ['mine'] }), { status: 403, code: 'AUTHORIZATION_ERROR' });
  });

  test('notifies the owner, and is in the list of its author', async () => {
    const place = await forked(service);
    const { number } = await offered(place, { '/b.txt': 'one\n' });
    const told = await call<{ data: Notification[] }>('GET', `${service.url}/v1/notifications`, {
      token: place.project.user.key,
    });
    expect(told.body.data[0]).toMatchObject({ type: 'review_requested', data: { number } });
    const own = await call<{ data: MergeRequest[] }>('GET', `${service.url}/v1/user/merge-requests?part=author`, {
      token: place.outside.user.key,
    });
    expect(own.body.data.map((one) => one.number)).toEqual([number]);
  });

  test('notifies its author of what members say, though the author is no member', async () => {
    const place = await forked(service);
    const { number } = await offered(place, { '/b.txt': 'one\n' });
    await ask(place.project, 'POST', `/${number}/threads`, { body: 'Why?' });
    await ask(place.project, 'POST', `/${number}/reviews`, { event: 'APPROVE' });
    const told = async () => {
      const url = `${service.url}/v1/notifications`;
      return (await call<{ data: Notification[] }>('GET', url, { token: place.outside.user.key })).body.data;
    };
    expect((await told()).map(({ type }) => type)).toEqual(['review_submitted', 'merge_request_comment']);
    await onProject(service, place.project.user, place.project.projectId, ['PATCH', { settings: { public: false } }]);
    expect(await told()).toEqual([]);
  });

  test('accepts suggestions from people who can edit the fork', async () => {
    const place = await forked(service);
    const { number } = await offered(place, { '/b.txt': 'one\n' });
    const json = { path: '/b.txt', line: 1, body: '```suggestion\nbetter\n```' };
    const { body } = await ask<ReviewThread>(place.project, 'POST', `/${number}/threads`, json);
    const comments = [body.comments[0]?.id];
    const refused = await ask(place.project, 'POST', `/${number}/suggestions/apply`, { comments });
    expectError(refused, { status: 403, code: 'AUTHORIZATION_ERROR' });
    const applied = await ask(place.outside, 'POST', `/${number}/suggestions/apply`, { comments });
    expect(applied.status, applied.text).toBe(201);
    expect(await contentAt({ ...place.fork, branch: 'feature' }, '/b.txt')).toBe('better\n');
    await untilVersion(place.project, number, 2);
  });
});

describe('a merge request offered from a fork', () => {
  test('is refused if the fork does not have the branch, or the branch has nothing new', async () => {
    const place = await forked(service);
    expectError(await offer(place, { source: 'missing' }), { status: 422, code: 'VALIDATION_ERROR' });
    await inProject(place.fork, 'POST', '/branches', { json: { name: 'feature' } });
    expectError(await offer(place), { status: 422, code: 'VALIDATION_ERROR' });
    await write(place.project, 'main', '/later.txt', 'later\n');
    expectError(await offer(place), { status: 422, code: 'VALIDATION_ERROR' });
  });

  test('is refused if the other project is not a fork of this one, or the caller cannot edit it', async () => {
    const place = await forked(service);
    const unrelated = await newPlace(service, {}, place.outside.user);
    await write(unrelated, 'main', '/x.txt', 'x\n');
    const refused = await offer({ ...place, fork: unrelated }, { source: 'main' });
    expectError(refused, { status: 422, code: 'VALIDATION_ERROR' });
    await write(place.fork, 'feature', '/b.txt', 'b\n');
    const stranger = { ...place.outside, user: await service.createUser() };
    expectError(await offer({ ...place, outside: stranger }), { status: 404, code: 'NOT_FOUND' });
  });

  test('is refused to somebody who can no longer see the project, and gets no new versions after that', async () => {
    const place = await forked(service);
    const { number } = await offered(place, { '/b.txt': 'one\n' });
    const hide = { settings: { public: false } };
    await onProject(service, place.project.user, place.project.projectId, ['PATCH', hide]);
    await write(place.fork, 'second', '/c.txt', 'c\n');
    expectError(await offer(place, { source: 'second' }), { status: 404, code: 'NOT_FOUND' });
    await write(place.fork, 'feature', '/b.txt', 'two\n');
    const row = await waitFor('the problem is told', async () => {
      const found = await readRequest(place.project, number);
      return found.source_problem !== null && found;
    });
    expect(row).toMatchObject({
      ...{
        version: 1,
        source_problem: expect.stringContaining('cannot be read'),
        source_problem_code: 'fork_unreadable',
      },
      source_problem_values: { detail: expect.any(String) },
    });
  });

  test('is refused to a service account that does not have the fork among its projects', async () => {
    const place = await forked(service);
    await write(place.fork, 'feature', '/b.txt', 'b\n');
    const { key: token, id: userId } = place.outside.user;
    const { kid, secret } = await service.registerIssuer(userId, 'robots');
    const robot = async (projects: string[]) => {
      const json = { name: 'robot', projects };
      const made = await call<{ id: string }>('POST', `${service.url}/v1/user/service-accounts`, { token, json });
      const claims = goodClaims({ issuer: 'robots', userId: made.body.id, audience: 'bottega' });
      const key = await signJwt({ secret, claims, header: { kid } });
      return { ...place.outside, user: { ...place.outside.user, key } };
    };
    const { projectId } = place.project;
    const refused = await offer({ ...place, outside: await robot([projectId]) });
    expectError(refused, { status: 404, code: 'NOT_FOUND' });
    const answer = await offer({ ...place, outside: await robot([projectId, place.fork.projectId]) });
    expect(answer.status, answer.text).toBe(201);
    expect(userId).toBe(answer.body.author?.id);
  });

  test('is one of at most ten open ones that a person may have in a project', async () => {
    const place = await forked(service);
    for (let count = 1; count <= 10; count++) await offered(place, { '/b.txt': `${count}\n` }, `b${count}`);
    await write(place.fork, 'more', '/b.txt', 'more\n');
    expectError(await offer(place, { source: 'more' }), { status: 409, code: 'CONFLICT' });
    expect((await ask(place.outside, 'PATCH', 1, { state: 'closed' })).status).toBe(200);
    expect((await offer(place, { source: 'more' })).status).toBe(201);
    expectError(await ask(place.outside, 'PATCH', 1, { state: 'open' }), { status: 409, code: 'CONFLICT' });
  });

  test('may have a target with the same name as its source', async () => {
    const place = await forked(service);
    await write(place.fork, 'main', '/b.txt', 'b\n');
    const answer = await offer(place, { source: 'main', target: 'main' });
    expect(answer.status, answer.text).toBe(201);
    expect((await offer(place, { source: 'main' })).status).toBe(409);
  });
});

describe('the checks of a merge request from a fork', () => {
  const printing = { '/bottega.json': withChecks({ test: { run: 'echo "secret: [$SECRET]"' } }) };

  async function withSecret() {
    const place = await forked(service, printing);
    const json = { key: 'SECRET', value: 'hidden-value', environment: 'preview' };
    await inProject(place.project, 'POST', '/variables', { json });
    return place;
  }

  test('wait until a member has seen this version and starts them, and get no secrets', async () => {
    const place = await withSecret();
    const { number, head_sha } = await offered(place, { '/b.txt': 'one\n' });
    await waitFor('they wait', async () => (await checksOf(place.project, number)).needs_start);
    const start = (sha: string) => ask<RequestChecks>(place.project, 'POST', `/${number}/checks`, { head_sha: sha });
    expectError(await start('0'.repeat(40)), { status: 409, code: 'CONFLICT' });
    expect((await start(head_sha)).body.needs_start).toBe(false);
    const { data, state } = await untilChecked(place.project, number);
    expect(state).toBe('success');
    const logs = await inProject(place.project, 'GET', `/checks/${data[0]?.run?.id}/logs`);
    expect(logs.text).toContain('secret: []');
    await write(place.fork, 'feature', '/b.txt', 'two\n');
    await untilVersion(place.project, number, 2);
    await waitFor('they wait again', async () => (await checksOf(place.project, number)).needs_start);
  });

  test('start by themselves for an author whose request was merged before', async () => {
    const place = await forked(service);
    const first = await offered(place, { '/b.txt': 'one\n' });
    expect((await ask(place.project, 'POST', `/${first.number}/merge`, {})).status).toBe(200);
    const second = await offered(place, { '/c.txt': 'two\n' }, 'second');
    expect((await untilChecked(place.project, second.number)).state).toBe('success');
  });

  test('start by themselves for a member too, and still get no secrets', async () => {
    const place = await withSecret();
    await addCollaborator(service, place.project.projectId, place.outside.user, { role: 'editor' });
    const { number } = await offered(place, { '/b.txt': 'one\n' });
    const { data } = await untilChecked(place.project, number);
    const logs = await inProject(place.project, 'GET', `/checks/${data[0]?.run?.id}/logs`);
    expect(logs.text).toContain('secret: []');
  });

  test('run when a member adds the request to the queue', async () => {
    const place = await forked(service);
    const { number } = await offered(place, { '/b.txt': 'one\n' });
    await queue(place.project, number);
    await untilMerged(place.project, number);
    expect(await contentAt(place.project, '/b.txt')).toBe('one\n');
  });
});
