import { expect, test } from 'vitest';
import { expectStoredEventsCatalogued } from '../../testing/contract/catalogue-validator.ts';
import { buildSettings, deploy, deployed, projectOf, untilEnded } from '../../testing/samples/sample-deployments.ts';
import { inProject, type Place } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });

type Stored = { type: string; data: Record<string, unknown>; actor_id: string; request_id: string; account_id: string };
const eventsOf = async (place: Place): Promise<Stored[]> =>
  (
    await service.pool.query(
      `select type, data, actor_id, request_id, account_id from events
       where project_id = $1 and type ~ '^(build|deployment)' order by id`,
      [place.projectId],
    )
  ).rows;

test('a success emits started and completed of both build and deployment, with exactly the documented fields', async () => {
  const place = await projectOf(service, { '/index.html': 'x' });
  const { user } = place;
  const done = await deployed(place, { build_command: 'mkdir dist && cp index.html dist' });
  const events = await eventsOf(place);
  expect(events.map(({ type }) => type)).toEqual([
    'build.started',
    'deployment.started',
    'build.completed',
    'deployment.completed',
  ]);
  for (const event of events) {
    expect(event).toMatchObject({ actor_id: user.id, account_id: user.id, request_id: expect.stringMatching(/^req_/) });
  }
  const author = { name: user.name, email: user.email, username: user.username };
  const common = {
    build_id: done.build_id,
    project_id: place.projectId,
    project_name: 'Sample',
    commit_sha: done.commit.sha,
    commit_message: 'Begin',
    branch: 'main',
    author,
    started_at: done.started_at,
    environment: 'production',
  };
  const [started, deploying, built, completed] = events.map(({ data }) => data);
  expect(deploying).toMatchObject({ trigger: done.trigger, url: null });
  expect(started).toEqual({
    ...common,
    trigger: 'manual',
    build_config: {
      node_version: process.versions.node,
      build_command: 'mkdir dist && cp index.html dist',
      output_directory: null,
    },
  });
  const ended = { ...common, status: 'success', completed_at: done.completed_at, duration: done.duration };
  expect(built).toEqual({
    ...ended,
    artifacts: [{ name: 'dist', size: 1, url: done.logs_url.replace(/logs$/, 'artifacts') }],
    logs_url: done.logs_url,
    deploy_preview_url: done.url,
  });
  expect(completed).toEqual({
    ...ended,
    deployment_id: done.id,
    url: done.url,
    deployed_by: author,
    deployment_config: { strategy: 'static', instances: 0, health_check_url: `${done.url}/` },
  });
  const artifacts = await inProject(place, 'GET', `/deployments/${done.id}/artifacts`);
  expect(artifacts.body).toMatchObject({
    size: 1,
    artifacts: [{ name: 'index.html', size: 1, url: `${done.url}/index.html` }],
  });
});

test('the events of a failure have the place in the source that the compiler named', async () => {
  const place = await projectOf(service, { '/index.html': 'x' });
  const build_command = `echo "src/main.ts(3,5): error TS2322: Type 'a' is not assignable." >&2; exit 2`;
  const done = await deployed(place, { build_command });
  const failed = (await eventsOf(place)).filter(({ type }) => type.endsWith('.failed'));
  expect(failed.map(({ type }) => type)).toEqual(['build.failed', 'deployment.failed']);
  expect(failed[0]?.data).toMatchObject({
    status: 'failed',
    failed_at: done.completed_at,
    duration: done.duration,
    error: {
      type: 'build_failed',
      message: "Type 'a' is not assignable.",
      details: { file: 'src/main.ts', line: 3, column: 5, code: 'TS2322' },
    },
    logs_url: done.logs_url,
  });
  expect(failed[1]?.data).toMatchObject({
    deployment_id: done.id,
    url: null,
    deployed_by: { username: place.user.username },
  });
});

test('a deployment that is canceled before it begins emits its own event, but none of the build', async () => {
  const place = await projectOf(service, { '/index.html': 'x' });
  const first = await deploy(place, { build_command: 'sleep 0.5' });
  const second = await deploy(place);
  await inProject(place, 'POST', `/deployments/${second.id}/cancel`);
  await untilEnded(place, first.id);
  const ofSecond = (await eventsOf(place)).filter(
    ({ data }) => data.deployment_id === second.id || data.build_id === second.build_id,
  );
  expect(ofSecond).toMatchObject([
    { type: 'deployment.failed', data: { status: 'canceled', error: { type: 'canceled' } } },
  ]);
});

test('Webhooks API, build.started: the trigger is the same as that of the deployment', async () => {
  const place = await projectOf(service, { '/index.html': 'x' });
  const done = await deployed(place);
  const again = await inProject(place, 'POST', `/deployments/${done.id}/redeploy`);
  await untilEnded(place, again.body.id as string);
  const events = (await eventsOf(place)).filter(({ type }) => type === 'build.started');
  expect(events.map(({ data }) => data.trigger)).toEqual([done.trigger, again.body.trigger]);
  expect([done.trigger, again.body.trigger]).toEqual(['manual', 'redeploy']);
});

test('every event of these tests has the data that the catalogue says', async () => {
  const types = await expectStoredEventsCatalogued(service.db);
  const expected = ['build', 'deployment'].flatMap((what) =>
    ['started', 'completed', 'failed'].map((end) => `${what}.${end}`),
  );
  expect([...types]).toEqual(expect.arrayContaining(expected));
});
