import type { MergeRequest } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectError, refused } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { buildSettings } from '../testing/samples/sample-deployments.ts';
import { contentAt, history, inProject, listPaths } from '../testing/samples/sample-files.ts';
import { addCollaborator } from '../testing/samples/sample-projects.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { ask } from './merge-requests.fixture.ts';
import { dropEntry } from './queue/leave.service.ts';
import {
  checkedProject,
  queue,
  readRequest,
  requestOf,
  ruled,
  runsIn,
  untilLeft,
  untilMerged,
  withChecks,
  write,
} from './queue.fixture.ts';
import { findEntry, noteEntryTest } from './state/index.ts';

const service = useTestService({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });

const reasonsTold = async (projectId: string): Promise<string[]> =>
  (
    await service.pool.query(
      `select data->>'reason' as reason from events where project_id = $1 and type = 'merge_request.dequeued' order by id`,
      [projectId],
    )
  ).rows.map(({ reason }) => reason);

describe('a request to merge when ready', () => {
  test('waits for an approval and for the checks', async () => {
    const place = await checkedProject(service);
    await ruled(place, { checks: ['test'], approvals: 1 });
    const number = await requestOf(place, 'feature', { '/b.txt': 'two\n' });
    const { head_sha } = await readRequest(place, number);
    const waiting = await ask(place, 'POST', `/${number}/merge`, { when_ready: true, head_sha, delete_branch: true });
    expect(waiting.body).toMatchObject({ state: 'open', queue: { state: 'waiting', position: 1, strategy: 'merge' } });
    const member = await service.createUser();
    await addCollaborator(service, place.projectId, member, { role: 'editor' });
    const review = await ask({ ...place, user: member }, 'POST', `/${number}/reviews`, {
      event: 'APPROVE',
      body: 'ok',
    });
    expect(review.status, review.text).toBe(201);
    expect(await untilMerged(place, number)).toMatchObject({ queue: null, merged_by: { id: place.user.id } });
    expect(await contentAt(place, '/b.txt')).toBe('two\n');
    const source = () => inProject(place, 'GET', '/branches/feature');
    await waitFor('its source is deleted', async () => (await source()).status === 404);
  });

  test('is merged at once if nothing is required', async () => {
    const place = await checkedProject(service, { '/bottega.json': '{}' });
    const number = await requestOf(place, 'feature', { '/b.txt': 'two\n' });
    await queue(place, number, { strategy: 'squash', message: 'All at once' });
    await untilMerged(place, number);
    expect((await history(place)).data[0]?.message).toBe('All at once');
  });

  test('leaves the queue if a check fails, and says which', async () => {
    const place = await checkedProject(service);
    const number = await requestOf(place, 'feature', { '/b.txt': 'broken\n' });
    const member = await service.createUser();
    await addCollaborator(service, place.projectId, member, { role: 'editor' });
    await queue({ ...place, user: member }, number);
    await untilLeft(place, number);
    expect(await reasonsTold(place.projectId)).toEqual(['Did not succeed: test']);
    const told = await call<{ data: { type: string; data: unknown }[] }>('GET', `${service.url}/v1/notifications`, {
      token: member.key,
    });
    const why = {
      reason: 'Did not succeed: test',
      reason_code: 'queue_checks_failed',
      reason_values: { names: 'test' },
    };
    const data = { number, title: 'Request feature', ...why };
    expect(told.body.data).toContainEqual(expect.objectContaining({ type: 'left_queue', data }));
    expect(await listPaths(place)).not.toContain('/b.txt');
  });

  test('leaves the queue if somebody pushes to its source, closes it or removes it', async () => {
    const place = await checkedProject(service);
    await ruled(place, { approvals: 1 });
    const [pushed, closed, taken] = await Promise.all(
      ['one', 'two', 'three'].map((name) => requestOf(place, name, { [`/${name}.txt`]: 'text\n' })),
    );
    for (const number of [pushed, closed, taken]) await queue(place, number ?? 0);
    await write(place, 'one', '/one.txt', 'other text\n');
    await ask(place, 'PATCH', `/${closed}`, { state: 'closed' });
    expect((await ask(place, 'DELETE', `/${taken}/queue`)).body.queue).toBeNull();
    await untilLeft(place, pushed ?? 0);
    const listed = await inProject<{ data: MergeRequest[] }>(place, 'GET', '/merge-queue');
    expect(listed.body.data).toEqual([]);
    expect(await reasonsTold(place.projectId)).toEqual(
      expect.arrayContaining(['The source has new commits', expect.stringContaining('took it out')]),
    );
  });

  test('stays as somebody queued it again, whatever a job finds out about how it was queued before', async () => {
    const place = await checkedProject(service);
    await ruled(place, { approvals: 1 });
    const number = await requestOf(place, 'feature', { '/b.txt': 'two\n' });
    await queue(place, number);
    const { db, url } = service;
    const before = await findEntry(db, { project_id: place.projectId, number });
    if (!before) throw new Error('there is no entry');
    await queue(place, number, { strategy: 'squash' });
    const sha = before.head_sha;
    await noteEntryTest(db, before, { base_sha: sha, test_sha: sha, tree_sha: sha, plan: [] });
    await dropEntry({ db, publicUrl: () => url }, before, 'The source has new commits');
    expect((await readRequest(place, number)).queue).toMatchObject({ state: 'waiting', strategy: 'squash' });
    expect(await reasonsTold(place.projectId)).toEqual([]);
  });

  test('is added and removed only by people who may merge', async () => {
    const place = await checkedProject(service);
    const number = await requestOf(place, 'feature', { '/b.txt': 'two\n' });
    const viewer = await service.createUser();
    await addCollaborator(service, place.projectId, viewer, { role: 'viewer' });
    const theirs = { ...place, user: viewer };
    expectError(await ask(theirs, 'POST', `/${number}/queue`, {}), refused);
    expectError(await ask(theirs, 'DELETE', `/${number}/queue`), refused);
    expect((await ask(place, 'POST', `/${number}/queue`, { head_sha: '0'.repeat(40) })).status).toBe(409);
    expect((await ask(place, 'POST', '/99/queue', {})).status).toBe(404);
  });
});

describe('a merge queue', () => {
  test('merges requests in order, leaves out those that fail, and checks no tree twice', async () => {
    const place = await checkedProject(service);
    await ruled(place, { checks: ['test'], no_direct_push: true });
    const names = ['one', 'two', 'bad', 'four', 'five'];
    const numbers: number[] = [];
    for (const name of names) {
      numbers.push(await requestOf(place, name, { [`/${name}.txt`]: name === 'bad' ? 'broken\n' : 'text\n' }));
    }
    for (const number of numbers) await queue(place, number);
    const [one, two, bad, four, five] = numbers.map((number) => number ?? 0) as [
      number,
      number,
      number,
      number,
      number,
    ];
    await untilLeft(place, bad);
    for (const number of [one, two, four, five]) await untilMerged(place, number);
    expect((await listPaths(place)).filter((path) => path !== '/bottega.json')).toEqual([
      '/a.txt',
      '/five.txt',
      '/four.txt',
      '/one.txt',
      '/two.txt',
    ]);
    const titles = (await history(place)).data
      .map(({ message }) => message)
      .filter((message) => message.startsWith('Merge'));
    const order = titles.map((message) => /Request (\w+)/.exec(message)?.[1]).toReversed();
    expect(order).toEqual(['one', 'two', 'four', 'five']);
    const { runs, trees, starts } = await runsIn(place);
    expect([runs, starts]).toEqual([trees, trees]);
  });

  test('does not wait for a request of somebody who can no longer edit the project', async () => {
    const place = await checkedProject(service);
    await ruled(place, { checks: ['test', 'outside'] });
    const member = await service.createUser();
    const id = await addCollaborator(service, place.projectId, member, { role: 'editor' });
    const first = await requestOf(place, 'one', { '/one.txt': 'text\n' });
    const second = await requestOf(place, 'two', { '/two.txt': 'text\n' });
    await queue({ ...place, user: member }, first);
    await waitFor('it is tested', async () => (await readRequest(place, first)).queue?.state === 'testing');
    const changed = await inProject(place, 'PATCH', `/collaborators/${id}`, { json: { role: 'viewer' } });
    expect(changed.status, changed.text).toBe(200);
    await queue(place, second);
    const { head_sha } = await readRequest(place, second);
    const report = { name: 'outside', head_sha, status: 'completed', conclusion: 'success' };
    expect((await inProject(place, 'POST', '/checks', { json: report })).status).toBe(201);
    await untilMerged(place, second);
    expect(await readRequest(place, first)).toMatchObject({ state: 'open', queue: null });
    expect(await reasonsTold(place.projectId)).toEqual(['You do not have permission to write to this project']);
  });

  test('does not wait for a request that is not ready yet', async () => {
    const place = await checkedProject(service);
    const first = await requestOf(place, 'one', { '/one.txt': 'text\n' });
    expect((await ask(place, 'PATCH', `/${first}`, { draft: true })).status).toBe(200);
    const second = await requestOf(place, 'two', { '/two.txt': 'text\n' });
    await queue(place, first);
    await queue(place, second);
    await untilMerged(place, second);
    expect(await readRequest(place, first)).toMatchObject({ state: 'open', queue: { state: 'waiting', position: 1 } });
    await ask(place, 'PATCH', `/${first}`, { draft: false });
    await untilMerged(place, first);
  });

  test('removes a request that conflicts with an earlier one, after the earlier one is merged', async () => {
    const place = await checkedProject(service);
    const first = await requestOf(place, 'one', { '/a.txt': 'ours\n' });
    const second = await requestOf(place, 'two', { '/a.txt': 'theirs\n' });
    const third = await requestOf(place, 'three', { '/c.txt': 'text\n' });
    for (const number of [first, second, third]) await queue(place, number);
    await untilMerged(place, third);
    await untilLeft(place, second);
    expect(await contentAt(place, '/a.txt')).toBe('ours\n');
    expect(await reasonsTold(place.projectId)).toEqual(['The branches have conflicting changes']);
  });

  test('checks again before merging if somebody else moves the target', async () => {
    const place = await checkedProject(service, {
      '/bottega.json': withChecks({ test: { run: 'test ! -e stop.txt || test -e b.txt' } }),
    });
    const number = await requestOf(place, 'feature', { '/b.txt': 'two\n' });
    await queue(place, number);
    await write(place, 'main', '/stop.txt', 'pushed meanwhile\n');
    const { merge_sha } = await untilMerged(place, number);
    const { body } = await inProject<{ data: { conclusion: string }[] }>(place, 'GET', `/commits/${merge_sha}/checks`);
    expect(body.data.map(({ conclusion }) => conclusion)).toEqual(['success']);
    expect(await listPaths(place)).toEqual(expect.arrayContaining(['/b.txt', '/stop.txt']));
  });

  test.each(['squash', 'rebase', 'fast_forward'] as const)('merges with the strategy %s', async (strategy) => {
    const place = await checkedProject(service);
    const number = await requestOf(place, 'feature', { '/b.txt': 'two\n' });
    await queue(place, number, { strategy });
    const { merge_sha, head_sha } = await untilMerged(place, number);
    const [tip] = (await history(place)).data;
    expect(tip?.sha).toBe(merge_sha);
    if (strategy === 'fast_forward') expect(tip?.sha).toBe(head_sha);
  });
});
