import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Deployment } from '@bottega/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import {
  buildSettings,
  deploy,
  deployed,
  logsOf,
  projectOf,
  textOf,
  untilEnded,
  visit,
} from '../../testing/samples/sample-deployments.ts';
import { inProject, type Place } from '../../testing/samples/sample-files.ts';
import { onProject, readProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bottega-test-push-'));
});
afterAll(() => rm(directory, { recursive: true }));

const git = (...args: string[]) =>
  promisify(execFile)('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  });

async function clone(place: Place & { user: TestUser }): Promise<string> {
  const { host } = new URL(service.url);
  const to = join(directory, place.projectId);
  await git('clone', '-q', `http://any:${place.user.key}@${host}/git/${place.projectId}.git`, to);
  return to;
}

async function push(work: string, text: string, branch = 'main'): Promise<void> {
  await writeFile(join(work, 'index.html'), text);
  await git('-C', work, 'checkout', '-q', '-B', branch);
  await git('-C', work, 'commit', '-qam', `Say ${text}`);
  await git('-C', work, 'push', '-q', 'origin', branch);
}

const listed = async (place: Place): Promise<Deployment[]> =>
  (await inProject<{ data: Deployment[] }>(place, 'GET', '/deployments')).body.data;

test('a push deploys if the project wants it: main to production, other branches as previews', async () => {
  const place = await projectOf(service, { '/index.html': 'first' });
  const work = await clone(place);
  await push(work, 'unwanted');
  expect(await listed(place)).toEqual([]);
  const patched = await onProject(service, place.user, place.projectId, ['PATCH', { settings: { auto_deploy: true } }]);
  expect(patched.body.settings.auto_deploy).toBe(true);
  await push(work, 'wanted');
  const [made] = await listed(place);
  expect(made).toMatchObject({
    trigger: 'push',
    environment: 'production',
    branch: 'main',
    commit: { message: 'Say wanted', author: 'Ada' },
  });
  await untilEnded(place, made?.id ?? '');
  const { live_url } = await readProject(service, place.user, place.projectId);
  expect((await visit(`${live_url}/`)).text).toBe('wanted');
  await push(work, 'on a branch', 'feature');
  const [preview] = await listed(place);
  expect(preview).toMatchObject({ trigger: 'push', environment: 'preview', branch: 'feature' });
});

test('branches of a new project get previews, at most ten for one push, until the project switches that off', async () => {
  const place = await projectOf(service, { '/index.html': 'first' });
  const work = await clone(place);
  for (let n = 0; n < 12; n++) await git('-C', work, 'branch', `b${n}`);
  await git('-C', work, 'push', '-q', 'origin', '--all');
  const made = await listed(place);
  expect(new Set(made.map(({ environment, branch }) => `${environment} ${branch}`)).size).toBe(10);
  expect(made.every(({ environment }) => environment === 'preview')).toBe(true);
  const off = { settings: { auto_preview: false } };
  expect((await onProject(service, place.user, place.projectId, ['PATCH', off])).body.settings.auto_preview).toBe(
    false,
  );
  await push(work, 'unwanted', 'later');
  expect(await listed(place)).toHaveLength(10);
});

test('a merge into main deploys as a push does', async () => {
  const settings = { auto_preview: false };
  const place = await projectOf(service, { '/index.html': 'first' }, undefined, { settings });
  const work = await clone(place);
  await push(work, 'by merge', 'feature');
  await onProject(service, place.user, place.projectId, ['PATCH', { settings: { auto_deploy: true } }]);
  const merge = { json: { source: 'feature', target: 'main' } };
  expect((await inProject(place, 'POST', '/merges', merge)).status).toBe(201);
  expect(await listed(place)).toMatchObject([
    { trigger: 'push', environment: 'production', commit: { message: "Merge branch 'feature' into main" } },
  ]);
});

test('a push uses the settings of the last deployment of the environment, and replaces a waiting deployment of a push', async () => {
  const place = await projectOf(service, { '/index.html': 'x' }, undefined, { settings: { auto_deploy: true } });
  const work = await clone(place);
  const build = { build_command: 'mkdir dist; echo "$WHO" > dist/index.html', environment_variables: { WHO: 'me' } };
  await deployed(place, build);
  const blocker = await deploy(place, { ...build, build_command: 'echo begun; sleep 300' });
  await waitFor('it has begun', async () => textOf(await logsOf(place, blocker.id)).includes('begun'));
  await push(work, 'one');
  const asked = await deploy(place, build);
  await push(work, 'two');
  const [second, between, first] = await listed(place);
  expect(first).toMatchObject({
    status: 'canceled',
    trigger: 'push',
    error: { message: expect.stringContaining('newer') },
  });
  expect(between).toMatchObject({ id: asked.id, status: 'pending' });
  expect(second).toMatchObject({ status: 'pending', trigger: 'push', environment_variables: ['WHO'] });
  await inProject(place, 'POST', `/deployments/${blocker.id}/cancel`);
  const done = await untilEnded(place, second?.id ?? '');
  expect((await visit(`${done.url}/`)).text).toBe('me\n');
  expect((await untilEnded(place, asked.id)).status).toBe('success');
});

test('a deployment can be deployed again after its branch is gone', async () => {
  const place = await projectOf(service, { '/index.html': 'x' });
  const work = await clone(place);
  await push(work, 'soon gone', 'short-lived');
  const first = await deployed(place, { branch: 'short-lived', environment: 'preview' });
  await inProject(place, 'DELETE', '/branches/short-lived');
  await service.pool.query(
    `select graphile_worker.add_job('repositories:collect', json_build_object('project_id', $1::text))`,
    [place.projectId],
  );
  await waitFor('the objects are collected', async () => {
    const jobs = await service.pool.query(
      `select from graphile_worker.jobs where task_identifier = 'repositories:collect' and run_at <= now()`,
    );
    return jobs.rowCount === 0;
  });
  const again = await inProject<{ id: string }>(place, 'POST', `/deployments/${first.id}/redeploy`);
  const done = await untilEnded(place, again.body.id);
  expect(done.status).toBe('success');
  expect((await visit(`${done.url}/`)).text).toBe('soon gone');
});

test('a merged branch is served with the output of its preview, and a requested deployment is built again', async () => {
  const build = 'mkdir dist; date +%s%N > dist/index.html';
  const place = await projectOf(service, { '/index.html': 'x', '/bottega.json': JSON.stringify({ build }) });
  await onProject(service, place.user, place.projectId, ['PATCH', { settings: { auto_deploy: true } }]);
  const work = await clone(place);
  const last = async () => untilEnded(place, (await listed(place))[0]?.id ?? '');
  await push(work, 'new', 'feature');
  const preview = await last();
  expect(preview).toMatchObject({ environment: 'preview', status: 'success' });
  await git('-C', work, 'push', '-q', 'origin', 'feature:main');
  const live = await last();
  expect(live).toMatchObject({ environment: 'production', status: 'success' });
  expect(textOf(await logsOf(place, live.id))).toContain(`Taking the output of ${preview.id}`);
  expect((await visit(`${live.url}/`)).text).toBe((await visit(`${preview.url}/`)).text);
  await inProject(place, 'PUT', '/variables/WORD', { json: { value: 'another', environments: ['production'] } });
  const again = await untilEnded(place, (await deploy(place)).id);
  expect((await visit(`${again.url}/`)).text).not.toBe((await visit(`${preview.url}/`)).text);
});

test('a merged branch is built again if production has other variables', async () => {
  const build = 'mkdir dist; echo "$WORD" > dist/index.html';
  const place = await projectOf(service, { '/index.html': 'x', '/bottega.json': JSON.stringify({ build }) });
  await onProject(service, place.user, place.projectId, ['PATCH', { settings: { auto_deploy: true } }]);
  await inProject(place, 'PUT', '/variables/WORD', { json: { value: 'produced', environments: ['production'] } });
  const work = await clone(place);
  const last = async () => untilEnded(place, (await listed(place))[0]?.id ?? '');
  await push(work, 'new', 'feature');
  expect((await visit(`${(await last()).url}/`)).text).toBe('\n');
  await git('-C', work, 'push', '-q', 'origin', 'feature:main');
  expect((await visit(`${(await last()).url}/`)).text).toBe('produced\n');
});
