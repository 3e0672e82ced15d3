import type { CheckRun, CommitChecks } from '@bottega/contract';
import { expect, test } from 'vitest';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { inProject, type Place, writeFile } from '../testing/samples/sample-files.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { act, annotationsOf, projectWithChecks, wantAll } from './checks.fixture.ts';

const service = useTestService({ role: 'api' });

const shaOf = async (place: Place): Promise<string> =>
  (await inProject<{ data: { sha: string }[] }>(place, 'GET', '/commits')).body.data[0]?.sha ?? '';

async function reported(place: Place, json: Record<string, unknown> = {}): Promise<CheckRun> {
  const answer = await inProject<CheckRun>(place, 'POST', '/checks', {
    json: { name: 'integration', head_sha: await shaOf(place), ...json },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

const change = (place: Place, id: string, json: Record<string, unknown>) =>
  inProject<CheckRun>(place, 'PATCH', `/checks/${id}`, { json });

const completedEvents = async (place: Place) =>
  (
    await service.pool.query(
      "select data from events where project_id = $1 and type = 'check.completed' order by seq",
      [place.projectId],
    )
  ).rows.map(({ data }) => [data.name, data.source, data.conclusion]);

const note = (path = 'a.txt', lines = { start_line: 1, end_line: 1 }) => ({
  ...{ path, annotation_level: 'warning', message: 'look' },
  ...lines,
});

test('another system reports a check as it would to GitHub, and updates it until it is completed', async () => {
  const place = await projectOf(service, { '/a.txt': 'a\n' });
  const begun = await reported(place, { status: 'in_progress', details_url: 'https://ci.example.com/7' });
  expect(begun).toMatchObject({
    ...{ source: 'outside', status: 'in_progress', conclusion: null, command: null, attempt: 1 },
    started_at: expect.any(String),
  });
  const ended = await change(place, begun.id, {
    conclusion: 'success',
    output: { title: 'All good', summary: '**42** tests' },
  });
  expect(ended).toMatchObject({
    status: 200,
    body: {
      ...{ status: 'completed', conclusion: 'success', details_url: 'https://ci.example.com/7' },
      output: { title: 'All good', summary: '**42** tests', annotations_count: 0 },
      completed_at: expect.any(String),
    },
  });
  expect(await completedEvents(place)).toEqual([['integration', 'outside', 'success']]);
});

test('updating only the output keeps the status of a reported check', async () => {
  const place = await projectOf(service, { '/a.txt': 'a\n' });
  const { id } = await reported(place, { conclusion: 'success' });
  const output = { title: 'Still good', summary: '' };
  const changed = await change(place, id, { output });
  expect(changed.body).toMatchObject({ status: 'completed', conclusion: 'success', output });
});

test('a report with the same name for the same files replaces the previous one, whatever the commit', async () => {
  const place = await projectOf(service, { '/a.txt': 'a\n' });
  const output = { title: 'First', annotations: [note()] };
  const first = await reported(place, { conclusion: 'failure', output });
  const { id } = await writeFile(place, '/extra.txt');
  expect((await inProject(place, 'DELETE', `/files/${id}`)).status).toBe(204);
  const second = await reported(place, { status: 'queued' });
  expect(second).toMatchObject({ id: first.id, status: 'queued', conclusion: null, attempt: 2 });
  expect(second.output).toEqual({ title: '', summary: '', annotations_count: 0 });
  expect(await annotationsOf(place, first.id)).toEqual([]);
  const { body } = await inProject<CommitChecks>(place, 'GET', `/commits/${first.head_sha}/checks`);
  expect(body).toMatchObject({ state: 'pending', data: [{ id: first.id }] });
});

test('new annotations are added to those of the check, at most 50 in a request and 200 in total', async () => {
  const place = await projectOf(service, { '/a.txt': 'a\n' });
  const notes = (count: number) => ({ output: { annotations: Array.from({ length: count }, () => note()) } });
  expect((await inProject(place, 'POST', '/checks', { json: { name: 'x', ...notes(51) } })).status).toBe(422);
  const { id } = await reported(place, notes(50));
  for (let more = 0; more < 4; more++) expect((await change(place, id, notes(40))).status).toBe(200);
  expect((await change(place, id, {})).body.output.annotations_count).toBe(200);
  expect(await annotationsOf(place, id)).toHaveLength(200);
});

test('an annotation must refer to lines of a file of the commit, and every mistake is reported', async () => {
  const place = await projectOf(service, { '/dir/a.txt': 'a\n' });
  const annotations = [
    note('/dir/a.txt'),
    note('dir'),
    note('none.txt'),
    note('dir/a.txt', { start_line: 3, end_line: 2 }),
  ];
  const json = { name: 'x', head_sha: await shaOf(place), output: { annotations } };
  const answer = await inProject<{ error: { details: { field: string }[] } }>(place, 'POST', '/checks', { json });
  expect(answer.status).toBe(422);
  expect(answer.body.error.details.map(({ field }) => field)).toEqual([
    'output.annotations.1.path',
    'output.annotations.2.path',
    'output.annotations.3.end_line',
  ]);
});

test('a completed check needs a conclusion, and its commit must exist', async () => {
  const place = await projectOf(service, { '/a.txt': 'a\n' });
  const json = { name: 'x', head_sha: await shaOf(place), status: 'completed' };
  const answer = await inProject(place, 'POST', '/checks', { json });
  expect(answer).toMatchObject({ status: 422, body: { error: { details: [{ field: 'conclusion' }] } } });
  const unknown = { name: 'x', head_sha: '0'.repeat(40) };
  expect((await inProject(place, 'POST', '/checks', { json: unknown })).status).toBe(422);
});

test('a check that runs here cannot be reported by others, and a reported check cannot be run or canceled here', async () => {
  const place = await projectWithChecks(service, { test: 'echo x' });
  const { test: own } = await wantAll(place);
  expect((await change(place, own?.id ?? '', { conclusion: 'success' })).status).toBe(409);
  const theirs = await reported(place, { name: 'test', conclusion: 'success' });
  expect(theirs.id).not.toBe(own?.id);
  expect((await act(place, theirs.id, 'rerun')).status).toBe(409);
  expect((await act(place, theirs.id, 'cancel')).status).toBe(409);
});

test('the files of a commit have at most 1,000 reported checks', async () => {
  const place = await projectOf(service, { '/a.txt': 'a\n' });
  await reported(place, { name: 'first' });
  await service.pool.query(
    `insert into check_runs (id, project_id, name, head_sha, tree_sha)
     select 'chk_' || lpad(n::text, 26, '0'), project_id, 'name ' || n, head_sha, tree_sha
     from check_runs, generate_series(1, 999) as n where project_id = $1`,
    [place.projectId],
  );
  const json = { name: 'one more', head_sha: await shaOf(place) };
  expect((await inProject(place, 'POST', '/checks', { json })).status).toBe(409);
  await reported(place, { name: 'first' });
});

test('checks are listed by branch, name and status, newest first', async () => {
  const place = await projectOf(service, { '/a.txt': 'a\n' });
  await reported(place, { name: 'one', conclusion: 'success' });
  await reported(place, { name: 'two' });
  await writeFile(place, '/b.txt');
  await reported(place, { name: 'one' });
  const names = async (query: string) => {
    const { body } = await inProject<{ data: CheckRun[]; pagination: { total: number } }>(
      place,
      'GET',
      `/checks${query}`,
    );
    expect(body.pagination.total).toBe(body.data.length);
    return body.data.map(({ name, status }) => `${name} ${status}`);
  };
  expect(await names('')).toEqual(['one queued', 'two queued', 'one completed']);
  expect(await names('?ref=main')).toEqual(['one queued']);
  expect(await names('?name=one&status=completed')).toEqual(['one completed']);
  expect((await inProject(place, 'GET', '/checks?ref=none')).status).toBe(404);
});
