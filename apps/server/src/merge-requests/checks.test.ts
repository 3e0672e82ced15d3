import { describe, expect, test } from 'vitest';
import { expectError } from '../testing/clients/expect-error.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { buildSettings } from '../testing/samples/sample-deployments.ts';
import { contentAt, inProject } from '../testing/samples/sample-files.ts';
import { addCollaborator } from '../testing/samples/sample-projects.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { ask } from './merge-requests.fixture.ts';
import {
  checkedProject,
  checksOf,
  readiness,
  reasonsOf,
  requestOf,
  ruled,
  runsIn,
  testScript,
  untilChecked,
  withChecks,
  write,
} from './queue.fixture.ts';

const service = useTestService({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });

describe('the checks of a merge request', () => {
  test('run on the result of its merge into the target, and not only on its source', async () => {
    const place = await checkedProject(service);
    const number = await requestOf(place, 'feature', {
      '/bottega.json': withChecks({ both: { run: 'cat a.txt b.txt c.txt' } }),
      '/b.txt': 'from the source\n',
    });
    await write(place, 'main', '/c.txt', 'from the target\n');
    await write(place, 'feature', '/d.txt', 'a newer version\n');
    const checks = await untilChecked(place, number);
    expect(checks).toMatchObject({
      state: 'success',
      ...{ problem: null, problem_code: null, problem_values: {} },
      merge_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(checks.data).toEqual([
      expect.objectContaining({ name: 'both', required: false, applies: true, changed: false }),
    ]);
    expect(checks.data[0]?.run).toMatchObject({ conclusion: 'success', source: 'project', head_sha: checks.merge_sha });
  });

  test('report which line is wrong, and run again for a new version', async () => {
    const place = await checkedProject(service);
    const number = await requestOf(place, 'feature', { '/a.txt': 'broken\n' });
    const failed = await untilChecked(place, number);
    expect(failed.state).toBe('failure');
    const id = failed.data[0]?.run?.id;
    const annotations = await inProject<{ data: unknown[] }>(place, 'GET', `/checks/${id}/annotations`);
    expect(annotations.body.data).toEqual([
      expect.objectContaining({ path: '/a.txt', start_line: 1, annotation_level: 'failure', message: 'broken' }),
    ]);
    await write(place, 'feature', '/a.txt', 'mended\n');
    expect((await untilChecked(place, number)).state).toBe('success');
  });

  test('do not apply if they are limited to other paths', async () => {
    const checks = { docs: { run: 'exit 1', paths: ['docs/**'] }, test: { run: testScript } };
    const place = await checkedProject(service, { '/bottega.json': withChecks(checks) });
    const number = await requestOf(place, 'feature', { '/b.txt': 'two\n' });
    const { state, data } = await untilChecked(place, number);
    expect(state).toBe('success');
    expect(data.map(({ name, applies, run }) => [name, applies, run === null])).toEqual([
      ['docs', false, true],
      ['test', true, false],
    ]);
  });

  test('do not run if there are conflicts or a mistake in bottega.json, and the answer says so', async () => {
    const place = await checkedProject(service);
    const conflict = await requestOf(place, 'one', { '/a.txt': 'ours\n' });
    const mistake = await requestOf(place, 'two', { '/bottega.json': withChecks({ test: { run: 3 } }) });
    await untilChecked(place, conflict);
    await write(place, 'main', '/a.txt', 'theirs\n');
    await write(place, 'one', '/a.txt', 'ours again\n');
    expect(await untilChecked(place, conflict)).toMatchObject({
      merge_sha: null,
      ...{ problem: 'The branches have conflicting changes', problem_code: 'merge_conflicts', problem_values: {} },
    });
    expect(reasonsOf(await readiness(place, conflict))).toEqual(['conflicts']);
    expect(await untilChecked(place, mistake)).toMatchObject({
      ...{ problem: 'bottega.json: checks.test.run must be a string', problem_code: 'project_file_mistake' },
      problem_values: { detail: 'checks.test.run must be a string' },
    });
  });

  test('do not run if bottega.json of the target has a mistake, which is no conflict and stops no merge', async () => {
    const place = await checkedProject(service, { '/bottega.json': withChecks({ test: { run: 3 } }) });
    const number = await requestOf(place, 'feature', { '/b.txt': 'two\n' });
    const { problem_code } = await untilChecked(place, number);
    expect(problem_code).toBe('project_file_mistake');
    expect(await readiness(place, number)).toMatchObject({ ready: true, blocked_by: [] });
    expect((await ask(place, 'POST', `/${number}/merge`, {})).body.state).toBe('merged');
  });

  test('are an empty list in a project without checks, where no merge is made for them', async () => {
    const place = await checkedProject(service, { '/bottega.json': '{}' });
    const number = await requestOf(place, 'feature', { '/b.txt': 'two\n' });
    expect(await untilChecked(place, number)).toEqual({
      ...{ state: 'none', merge_sha: null, needs_start: false, data: [] },
      ...{ problem: null, problem_code: null, problem_values: {} },
    });
  });
});

describe('a required check', () => {
  test('holds a merge back until it has passed for exactly the files that the target gets', async () => {
    const place = await checkedProject(service);
    await ruled(place, { checks: ['test'] });
    const number = await requestOf(place, 'feature', { '/b.txt': 'broken\n' });
    await untilChecked(place, number);
    expect(await readiness(place, number)).toMatchObject({ ready: false, blocked_by: [{ reason: 'check_failed' }] });
    const refused = await ask(place, 'POST', `/${number}/merge`, {});
    expectError(refused, { status: 409, code: 'CONFLICT' });
    expect(refused.text).toContain('not_ready');
    await write(place, 'feature', '/b.txt', 'mended\n');
    await untilChecked(place, number);
    await write(place, 'main', '/c.txt', 'the target has moved\n');
    expect(reasonsOf(await readiness(place, number))).toEqual(['check_missing']);
    const { merge_sha: before } = await checksOf(place, number);
    // The refused merge begins the check of what the target would get.
    expect((await ask(place, 'POST', `/${number}/merge`, {})).status).toBe(409);
    await expect.poll(async () => (await checksOf(place, number)).merge_sha, { timeout: 30_000 }).not.toBe(before);
    await untilChecked(place, number);
    expect((await readiness(place, number)).ready).toBe(true);
    expect((await ask(place, 'POST', `/${number}/merge`, {})).body.state).toBe('merged');
    expect(await contentAt(place, '/b.txt')).toBe('mended\n');
  });

  test('is the one that the target defines, and a request that changes it needs approval by somebody with manage', async () => {
    const place = await checkedProject(service);
    await ruled(place, { checks: ['test'] });
    const member = await service.createUser();
    await addCollaborator(service, place.projectId, member, { role: 'editor' });
    const theirs = { ...place, user: member };
    const files = { '/bottega.json': withChecks({ test: { run: 'exit 0' } }), '/b.txt': 'broken\n' };
    const number = await requestOf(theirs, 'feature', files);
    const checks = await untilChecked(place, number);
    expect(checks).toMatchObject({ state: 'failure', data: [{ name: 'test', required: true, changed: true }] });
    expect(checks.data[0]?.run?.command).toBe(testScript);
    await write(theirs, 'feature', '/b.txt', 'mended\n');
    await untilChecked(place, number);
    expect(reasonsOf(await readiness(place, number))).toEqual(['definition_changed']);
    expect((await ask(theirs, 'POST', `/${number}/merge`, {})).status).toBe(409);
    expect((await ask(place, 'POST', `/${number}/reviews`, { event: 'APPROVE', body: 'Fine' })).status).toBe(201);
    expect((await readiness(place, number)).ready).toBe(true);
    expect((await ask(theirs, 'POST', `/${number}/merge`, {})).body.state).toBe('merged');
  });

  test('of another system is reported for the source, and counts as failed once its time is over', async () => {
    const place = await checkedProject(service, { '/bottega.json': '{}' });
    await ruled(place, { checks: ['outside'], check_minutes: 1 });
    const number = await requestOf(place, 'feature', { '/b.txt': 'two\n' });
    await waitFor('the request was looked at', async () => {
      const { rowCount } = await service.pool.query('select from merge_request_tests where project_id = $1', [
        place.projectId,
      ]);
      return rowCount === 1;
    });
    expect(reasonsOf(await readiness(place, number))).toEqual(['check_missing']);
    await service.pool.query(
      `update merge_request_tests set tested_at = tested_at - interval '2 minutes' where project_id = $1`,
      [place.projectId],
    );
    expect(reasonsOf(await readiness(place, number))).toEqual(['check_failed']);
    const { head_sha } = (await ask(place, 'GET', number)).body;
    const report = { name: 'outside', head_sha, status: 'completed', conclusion: 'success' };
    expect((await inProject(place, 'POST', '/checks', { json: report })).status).toBe(201);
    expect((await readiness(place, number)).ready).toBe(true);
    expect((await ask(place, 'POST', `/${number}/merge`, {})).body.state).toBe('merged');
  });

  test('of another system fails if its newest report does, whatever it reported for the source before', async () => {
    const place = await checkedProject(service);
    await ruled(place, { checks: ['outside'] });
    const number = await requestOf(place, 'feature', { '/b.txt': 'two\n' });
    await write(place, 'main', '/c.txt', 'from the target\n');
    await write(place, 'feature', '/d.txt', 'a newer version\n');
    const { head_sha } = (await ask(place, 'GET', number)).body;
    const { merge_sha } = await waitFor('its newest version is merged for its checks', async () => {
      const checks = await checksOf(place, number);
      return checks.merge_sha !== null && checks;
    });
    const report = async (head: string | null, conclusion: string) => {
      const json = { name: 'outside', head_sha: head, status: 'completed', conclusion };
      expect((await inProject(place, 'POST', '/checks', { json })).status).toBe(201);
    };
    await report(head_sha, 'success');
    await report(merge_sha, 'failure');
    const outside = (await checksOf(place, number)).data.find(({ name }) => name === 'outside');
    expect(outside?.run).toMatchObject({ head_sha: merge_sha, conclusion: 'failure' });
    expect(reasonsOf(await readiness(place, number))).toEqual(['check_failed']);
    expect((await ask(place, 'POST', `/${number}/merge`, {})).status).toBe(409);
  });

  test('of another system does not count if it was reported for the merge of a former version', async () => {
    const place = await checkedProject(service);
    await ruled(place, { checks: ['outside'] });
    const number = await requestOf(place, 'feature', { '/b.txt': 'two\n' });
    const merges = async () =>
      (
        await service.pool.query('select head_sha, merge_sha from merge_request_tests where project_id = $1', [
          place.projectId,
        ])
      ).rows[0];
    const former = await waitFor('it is merged for its checks', async () => (await merges())?.merge_sha && merges());
    await write(place, 'feature', '/b.txt', 'three\n');
    expect((await ask(place, 'GET', number)).body.version).toBe(2);
    await waitFor('its next version is merged too', async () => !(await merges()).head_sha.equals(former.head_sha));
    // As before the job that merges the next version has run.
    const { rowCount } = await service.pool.query(
      'update merge_request_tests set head_sha = $2, merge_sha = $3 where project_id = $1',
      [place.projectId, former.head_sha, former.merge_sha],
    );
    expect(rowCount).toBe(1);
    const report = { name: 'outside', head_sha: former.merge_sha.toString('hex') };
    const json = { ...report, status: 'completed', conclusion: 'success' };
    expect((await inProject(place, 'POST', '/checks', { json })).status).toBe(201);
    expect(reasonsOf(await readiness(place, number))).toEqual(['check_missing']);
    expect((await ask(place, 'POST', `/${number}/merge`, {})).status).toBe(409);
  });

  test('cannot be replaced by a report with the same name', async () => {
    const place = await checkedProject(service);
    await ruled(place, { checks: ['test'] });
    const number = await requestOf(place, 'feature', { '/b.txt': 'broken\n' });
    const { merge_sha } = await untilChecked(place, number);
    for (const head_sha of [merge_sha, (await ask(place, 'GET', number)).body.head_sha]) {
      const json = { name: 'test', head_sha, status: 'completed', conclusion: 'success' };
      expect((await inProject(place, 'POST', '/checks', { json })).status).toBe(201);
    }
    expect(reasonsOf(await readiness(place, number))).toEqual(['check_failed']);
    expect((await ask(place, 'POST', `/${number}/merge`, {})).status).toBe(409);
  });

  test('does not run again for a tree that was checked before', async () => {
    const place = await checkedProject(service);
    const first = await requestOf(place, 'one', { '/b.txt': 'two\n' });
    const second = await requestOf(place, 'two', { '/b.txt': 'two\n' });
    const [one, two] = [await untilChecked(place, first), await untilChecked(place, second)];
    expect(two.merge_sha).not.toBe(one.merge_sha);
    expect(two.data[0]?.run?.id).toBe(one.data[0]?.run?.id);
    const { runs, trees, starts } = await runsIn(place);
    expect([runs, starts]).toEqual([trees, trees]);
  });
});
