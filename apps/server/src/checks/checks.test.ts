import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UsageHistory } from '@bottega/contract';
import { afterAll, describe, expect, test } from 'vitest';
import { processesMarked } from '../deployments/sandbox/process-tree.ts';
import { call } from '../testing/clients/http-client.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { buildSettings, deployed, setVariable } from '../testing/samples/sample-deployments.ts';
import { inProject, writeFile } from '../testing/samples/sample-files.ts';
import { useTestService } from '../testing/service/test-service.ts';
import {
  act,
  checked,
  checkLog,
  checkText,
  projectFile,
  projectWithChecks,
  readCheck,
  untilCompleted,
  wantAll,
} from './checks.fixture.ts';

const service = useTestService({
  settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process', BOTTEGA_BUILD_TIMEOUT: '2' },
});

const markers = mkdtempSync(join(tmpdir(), 'bottega-checks-'));
afterAll(() => rmSync(markers, { recursive: true }));
const marker = (name: string) => join(markers, name);
const writeMarker = (name: string) => writeFileSync(marker(name), '');

describe('a check', () => {
  test('runs its command on the files of the commit and succeeds with exit code 0', async () => {
    const place = await projectWithChecks(service, { test: 'cat a.txt; echo "CI is $CI"' }, { '/a.txt': 'hello\n' });
    const { test: run } = await checked(place);
    expect(run).toMatchObject({
      source: 'project',
      conclusion: 'success',
      attempt: 1,
      command: 'cat a.txt; echo "CI is $CI"',
      output: { title: 'cat a.txt; echo "CI is $CI" succeeded', summary: '', annotations_count: 0 },
    });
    const logs = await checkLog(place, run?.id ?? '');
    expect(logs.map(({ stream, message }) => [stream, message])).toEqual([
      ['system', expect.stringMatching(/^Checking commit [0-9a-f]{10}: test$/)],
      ['system', 'Checked out 2 files'],
      ['system', expect.stringContaining('Running in the sandbox (process)')],
      ['stdout', 'hello'],
      ['stdout', 'CI is true'],
      ['system', 'cat a.txt; echo "CI is $CI" succeeded'],
    ]);
  });

  test('that fails reports its exit code and the line that explains it', async () => {
    const place = await projectWithChecks(service, { test: 'echo started; echo "Error: no luck" >&2; exit 3' });
    const { test: run } = await checked(place);
    expect(run).toMatchObject({
      conclusion: 'failure',
      output: { title: expect.stringContaining('exited with code 3'), summary: '```\nError: no luck\n```' },
    });
  });

  test('that takes longer than its own limit or that of the installation is ended, with all its processes', async () => {
    const place = await projectWithChecks(service, {
      short: { run: 'sleep 300 & sleep 301', timeout: 1 },
      long: { run: 'sleep 302', timeout: 3_600 },
    });
    const { short, long } = await checked(place);
    expect(short).toMatchObject({ conclusion: 'timed_out', output: { title: expect.stringContaining('1 seconds') } });
    expect(long).toMatchObject({ conclusion: 'timed_out', output: { title: expect.stringContaining('2 seconds') } });
    expect(await processesMarked(`BOTTEGA_RUN=${short?.id}_1`)).toEqual([]);
  });

  test('that is canceled while it runs is reported as canceled once none of its processes is left', async () => {
    const place = await projectWithChecks(service, { test: 'sleep 300 & sleep 301' });
    const { test: run } = await wantAll(place);
    const id = run?.id ?? '';
    await waitFor('it runs', async () => (await processesMarked(`BOTTEGA_RUN=${id}_1`)).length > 0);
    const answer = await act(place, id, 'cancel');
    expect(answer).toMatchObject({ status: 200, body: { status: 'completed', conclusion: 'cancelled' } });
    expect(await processesMarked(`BOTTEGA_RUN=${id}_1`)).toEqual([]);
    expect((await act(place, id, 'cancel')).status).toBe(409);
  });

  test('adds its duration to the usage of its owner on that day', async () => {
    const place = await projectWithChecks(service, { test: 'sleep 1.1' });
    await checked(place);
    const { body } = await call<UsageHistory>('GET', `${service.url}/v1/user/usage/history?days=2`, {
      token: place.user.key,
    });
    expect(body.data.reduce((sum, { build_seconds }) => sum + build_seconds, 0)).toBeGreaterThanOrEqual(1);
  });

  test('gets the variables for previews, and their values are masked in its log and title', async () => {
    const place = await projectWithChecks(service, { test: 'echo "the token is $TOKEN"; exit 1' });
    await setVariable(place, 'TOKEN', { value: 'a-secret-value', kind: 'secret' });
    await setVariable(place, 'OTHER', { value: 'only-for-production', environments: ['production'] });
    const { test: run } = await checked(place);
    const text = await checkText(place, run?.id ?? '');
    expect(text).toContain('the token is ***');
    expect(JSON.stringify(run) + text).not.toContain('a-secret-value');
  });
});

describe('checks that need others', () => {
  test('run after them, and are skipped if one of these does not succeed', async () => {
    const place = await projectWithChecks(service, {
      ship: { run: 'echo shipped', needs: ['test', 'lint'] },
      test: { run: 'sleep 0.3; date +%s%N', needs: ['lint'] },
      lint: 'sleep 0.3; date +%s%N',
      broken: 'exit 1',
      after: { run: 'echo never', needs: ['broken'] },
      later: { run: 'echo never', needs: ['after'] },
    });
    const runs = await checked(place);
    expect(runs.ship).toMatchObject({ conclusion: 'success', needs: ['lint', 'test'] });
    const times = [runs.lint, runs.test, runs.ship].map((run) => [run?.started_at ?? '', run?.completed_at ?? '']);
    expect(times.flat()).toEqual(times.flat().toSorted());
    expect(runs.after).toMatchObject({ conclusion: 'skipped', output: { title: 'broken did not succeed' } });
    expect(runs.later).toMatchObject({ conclusion: 'skipped', output: { title: 'after did not succeed' } });
    expect(await checkText(place, runs.after?.id ?? '')).toBe('');
  });

  test('that were skipped run again together with the check that they need', async () => {
    const place = await projectWithChecks(service, {
      // The state of another place decides, because the files of a tree always give the same result.
      lint: `test -e ${marker('fixed')}`,
      test: { run: 'echo tested', needs: ['lint'] },
      ship: { run: 'echo shipped', needs: ['test'] },
    });
    const before = await checked(place);
    expect(Object.values(before).map(({ conclusion }) => conclusion)).toEqual(['failure', 'skipped', 'skipped']);
    writeMarker('fixed');
    const again = await act(place, before.lint?.id ?? '', 'rerun');
    expect(again).toMatchObject({ status: 200, body: { status: 'queued', conclusion: null, output: { title: '' } } });
    for (const name of ['lint', 'test', 'ship']) {
      const run = await untilCompleted(place, before[name]?.id ?? '');
      expect(run, name).toMatchObject({ conclusion: 'success', attempt: name === 'lint' ? 2 : 1 });
    }
  });
});

describe('the same files', () => {
  test('are checked once, however many commits and branches contain them', async () => {
    const place = await projectWithChecks(service, { test: 'echo once' });
    const first = await checked(place);
    expect((await inProject(place, 'POST', '/branches', { json: { name: 'other' } })).status).toBe(201);
    const { id } = await writeFile(place, '/extra.txt');
    expect((await inProject(place, 'DELETE', `/files/${id}`)).status).toBe(204);
    const again = [await wantAll(place), await wantAll(place, { ref: 'other' })];
    for (const runs of again) expect(runs.test).toMatchObject({ id: first.test?.id, status: 'completed', attempt: 1 });
  });

  test('are checked again if the definition of the check changes, and other files are always checked', async () => {
    const place = await projectWithChecks(service, { test: 'echo one' });
    const first = await checked(place);
    await writeFile(place, '/bottega.json', projectFile({ test: 'echo two' }));
    const second = await checked(place);
    await writeFile(place, '/other.txt');
    const third = await checked(place);
    expect(new Set([first, second, third].map((runs) => runs.test?.id)).size).toBe(3);
  });

  test('are checked again only on request, with a new log', async () => {
    const place = await projectWithChecks(service, { test: 'echo "::notice file=bottega.json::seen"; echo again' });
    const { test: run } = await checked(place);
    const id = run?.id ?? '';
    expect((await act(place, id, 'rerun')).status).toBe(200);
    const second = await untilCompleted(place, id);
    expect(second).toMatchObject({ attempt: 2, output: { annotations_count: 1 } });
    const logs = await checkLog(place, id);
    expect(logs.filter(({ message }) => message === 'again')).toHaveLength(1);
    expect(logs[0]?.seq).toBeGreaterThan(1);
    await service.pool.query("update check_runs set status = 'in_progress', conclusion = null where id = $1", [id]);
    expect((await act(place, id, 'rerun')).status).toBe(409);
  });

  test('are checked on a push to main, and not on a save', async () => {
    const place = await projectWithChecks(service, { test: 'echo pushed' });
    const listed = () => inProject<{ data: { id: string }[] }>(place, 'GET', '/checks');
    expect((await listed()).body.data).toEqual([]);
    expect((await inProject(place, 'POST', '/branches', { json: { name: 'feature' } })).status).toBe(201);
    await writeFile({ ...place, branch: 'feature' }, '/new.txt');
    const merged = await inProject(place, 'POST', '/merges', { json: { target: 'main', source: 'feature' } });
    expect(merged.status, merged.text).toBe(201);
    const [run] = (await listed()).body.data;
    expect(await untilCompleted(place, run?.id ?? '')).toMatchObject({ name: 'test', conclusion: 'success' });
  });
});

test('a mistake in bottega.json is explained in words, and the other settings in the file still work', async () => {
  const place = await projectWithChecks(service, { test: { run: 1 } }, { '/index.html': 'x' });
  expect(await deployed(place)).toMatchObject({ status: 'success' });
  const answer = await inProject(place, 'POST', '/checks/run', { json: {} });
  expect(answer.status).toBe(422);
  expect(answer.text).toContain('bottega.json: checks.test.run must be a string');
});

test('only the named checks run, with the checks that they need', async () => {
  const place = await projectWithChecks(service, {
    lint: 'echo l',
    test: { run: 'echo t', needs: ['lint'] },
    other: 'echo o',
  });
  expect(Object.keys(await wantAll(place, { names: ['test'] })).toSorted()).toEqual(['lint', 'test']);
  const answer = await inProject(place, 'POST', '/checks/run', { json: { names: ['test', 'none'] } });
  expect(answer).toMatchObject({ status: 422, body: { error: { details: [{ field: 'names.1' }] } } });
});

test('a check that waits for a running check is canceled at once', async () => {
  const place = await projectWithChecks(service, { slow: 'sleep 301', next: { run: 'echo n', needs: ['slow'] } });
  const { next, slow } = await wantAll(place);
  expect(await act(place, next?.id ?? '', 'cancel')).toMatchObject({
    status: 200,
    body: { conclusion: 'cancelled', output: { title: 'Cancelled before it started' } },
  });
  expect((await act(place, slow?.id ?? '', 'cancel')).status).toBe(200);
  expect((await readCheck(place, next?.id ?? '')).conclusion).toBe('cancelled');
});

test('the log of a running check can be followed to its end, which includes the conclusion', async () => {
  const place = await projectWithChecks(service, { test: 'echo one; sleep 0.5; echo two' });
  const { test: run } = await wantAll(place);
  const answer = await fetch(`${service.url}/v1/projects/${place.projectId}/checks/${run?.id}/logs`, {
    headers: { authorization: `Bearer ${place.user.key}`, accept: 'text/event-stream' },
  });
  const text = await answer.text();
  expect(text).toMatch(/event: log[\s\S]*"message":"one"[\s\S]*"message":"two"[\s\S]*event: end/);
  expect(text).toContain('{"conclusion":"success"}');
});
