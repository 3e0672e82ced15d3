import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import {
  buildSettings,
  deploy,
  logsOf,
  projectOf,
  readDeployment,
  textOf,
  untilEnded,
} from '../../testing/samples/sample-deployments.ts';
import { commit, inProject } from '../../testing/samples/sample-files.ts';
import { onProject } from '../../testing/samples/sample-projects.ts';
import { startTestService, useTestService } from '../../testing/service/test-service.ts';

const settings = { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process', BOTTEGA_BUILD_CONCURRENCY: '3' };
const service = useTestService({ settings });
const plain = { '/index.html': 'x' };
/** Builds wait for a file in this folder. They run as another user if the service is root. */
const folder = mkdtempSync(join(tmpdir(), 'bottega-gate-'));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Times = { id: string; started_at: Date; completed_at: Date };
const timesOf = async (ids: string[]): Promise<Times[]> =>
  (
    await service.pool.query(
      'select id, started_at, completed_at from deployments where id = any($1) order by started_at',
      [ids],
    )
  ).rows;

function maxAtOnce(times: Times[]): number {
  return Math.max(
    ...times.map(
      ({ started_at: at }) => times.filter((other) => other.started_at <= at && other.completed_at > at).length,
    ),
  );
}

describe('the queue', () => {
  test('builds twenty deployments of one project in order, one at a time', async () => {
    const place = await projectOf(service, plain);
    const made = [];
    for (let count = 0; count < 20; count++) made.push((await deploy(place)).id);
    for (const id of made) expect((await untilEnded(place, id)).status).toBe('success');
    const times = await timesOf(made);
    expect(times.map(({ id }) => id)).toEqual(made);
    expect(maxAtOnce(times)).toBe(1);
    expect((await readDeployment(place, made.at(-1) ?? '')).is_live).toBe(true);
  });

  test('builds as many projects at once as the limit allows, and no more', async () => {
    const places = await Promise.all([1, 2, 3, 4, 5].map(() => projectOf(service, plain)));
    const gate = join(folder, 'open');
    const build_command = `until [ -e ${gate} ]; do sleep 0.05; done`;
    const made = await Promise.all(places.map((place) => deploy(place, { build_command })));
    const ids = made.map(({ id }) => id);
    await waitFor('three are being built', async () => {
      const { rows } = await service.pool.query(`select from deployments where id = any($1) and status = 'building'`, [
        ids,
      ]);
      return rows.length === 3;
    });
    writeFileSync(gate, '');
    for (const [index, place] of places.entries()) await untilEnded(place, made[index]?.id ?? '');
    expect(maxAtOnce(await timesOf(ids))).toBe(3);
  });

  test('builds production and preview of one project side by side', async () => {
    const place = await projectOf(service, plain);
    const slow = await deploy(place, { build_command: 'until [ -e ../../../go ]; do sleep 0.05; done' });
    const preview = await deploy(place, { environment: 'preview' });
    expect((await untilEnded(place, preview.id)).status).toBe('success');
    expect((await readDeployment(place, slow.id)).status).toBe('building');
    await inProject(place, 'POST', `/deployments/${slow.id}/cancel`);
  });

  test('tells each waiting deployment its position', async () => {
    const place = await projectOf(service, plain);
    const first = await deploy(place, { build_command: 'sleep 300' });
    const others = [await deploy(place), await deploy(place)];
    await waitFor(
      'the first is being built',
      async () => (await readDeployment(place, first.id)).status === 'building',
    );
    const positions = await Promise.all(others.map(async ({ id }) => (await readDeployment(place, id)).queue_position));
    expect(positions).toEqual([1, 2]);
    expect((await readDeployment(place, first.id)).queue_position).toBeNull();
    await inProject(place, 'POST', `/deployments/${first.id}/cancel`);
    for (const { id } of others) await untilEnded(place, id);
  });

  test('cancels the running build of a deleted project', async () => {
    const place = await projectOf(service, plain);
    const running = await deploy(place, { build_command: 'sleep 300' });
    const statusOf = async () =>
      (await service.pool.query('select status from deployments where id = $1', [running.id])).rows[0].status;
    await waitFor('it is being built', async () => (await statusOf()) === 'building');
    await onProject(service, place.user, place.projectId, ['DELETE']);
    await waitFor('it is canceled', async () => (await statusOf()) === 'canceled');
  });
});

describe('a worker that died', () => {
  /** Leaves the rows as a dead worker does: building, and nobody renews the lease. */
  const orphan = (id: string, attempt: number) =>
    service.pool.query(
      `update deployments set status = 'building', worker_id = 'dead', attempt = $2, started_at = now(),
         lease_until = now() - interval '1 second' where id = $1`,
      [id, attempt],
    );

  async function heldBack() {
    const place = await projectOf(service, plain);
    const blocker = await deploy(place, { build_command: 'sleep 300' });
    await waitFor('the queue is held', async () => (await readDeployment(place, blocker.id)).status === 'building');
    const held = await deploy(place);
    return { place, blocker, held };
  }

  test('loses its build to another worker, which begins the build again and says so', async () => {
    const { place, blocker, held } = await heldBack();
    const client = await service.pool.connect();
    await client.query('begin');
    await client.query(`update deployments set status = 'canceled' where id = $1`, [blocker.id]);
    await client.query(
      `update deployments set status = 'building', worker_id = 'dead', attempt = 1, started_at = now(),
         lease_until = now() - interval '1 second' where id = $1`,
      [held.id],
    );
    await client.query('commit');
    client.release();
    expect((await untilEnded(place, held.id)).status).toBe('success');
    expect(textOf(await logsOf(place, held.id))).toContain('The worker was lost during the build');
  });

  test('fails its build if it is the second one to die during that build, and the queue moves on', async () => {
    const place = await projectOf(service, plain);
    const done = await deploy(place);
    await untilEnded(place, done.id);
    await orphan(done.id, 2);
    const next = await deploy(place);
    expect(await untilEnded(place, done.id)).toMatchObject({ status: 'failed', error: { type: 'worker_lost' } });
    expect((await untilEnded(place, next.id)).status).toBe('success');
    const { rows } = await service.pool.query(
      'select sum(deployments)::int as counted from usage_days where user_id = $1',
      [place.user.id],
    );
    expect(rows, 'each of the three endings counts for the owner').toEqual([{ counted: 3 }]);
  });

  test('leaves a build that can still be canceled', async () => {
    const place = await projectOf(service, plain);
    const done = await deploy(place);
    await untilEnded(place, done.id);
    await orphan(done.id, 1);
    await service.pool.query(`update deployments set lease_until = now() + interval '300 milliseconds' where id = $1`, [
      done.id,
    ]);
    const answer = await inProject(place, 'POST', `/deployments/${done.id}/cancel`);
    expect(answer).toMatchObject({ status: 200, body: { status: 'canceled' } });
  });
});

test('a worker that stops gives its build back to the queue', async () => {
  const first = await startTestService({ settings: { ...settings, BOTTEGA_SHUTDOWN_TIMEOUT: '1' } });
  const place = await projectOf(first.running, plain);
  const made = await deploy(place, { build_command: 'echo begun; sleep 300' });
  await waitFor('it has begun', async () => textOf(await logsOf(place, made.id)).includes('begun'));
  await first.running.service.drain();
  const { rows } = await first.running.pool.query('select status, attempt from deployments where id = $1', [made.id]);
  expect(rows).toEqual([{ status: 'pending', attempt: 0 }]);
  await first.close();
});

test('the start of a build is reported once, even if its first worker has given it back', async () => {
  const place = await projectOf(service, plain);
  const gate = join(folder, 'given back');
  const made = await deploy(place, { build_command: `until [ -e '${gate}' ]; do sleep 0.05; done` });
  await waitFor('it has begun', async () => (await readDeployment(place, made.id)).status === 'building');
  // What a worker that stops does.
  await service.pool.query(
    `update deployments set status = 'pending', worker_id = null, lease_until = null, attempt = attempt - 1
     where id = $1`,
    [made.id],
  );
  await waitFor('it begins again', async () => (await readDeployment(place, made.id)).status === 'building');
  writeFileSync(gate, '');
  await untilEnded(place, made.id);
  const { rows } = await service.pool.query(
    `select type from events where project_id = $1 and type ~ '^(build|deployment)' order by id`,
    [place.projectId],
  );
  expect(rows.map(({ type }) => type)).toEqual([
    'build.started',
    'deployment.started',
    'build.completed',
    'deployment.completed',
  ]);
});

describe('deploying on push', () => {
  test('does not happen for a commit through the REST API, which is no push', async () => {
    const place = await projectOf(service, plain, undefined, { settings: { auto_deploy: true } });
    await commit(place, [{ action: 'create', path: '/b.txt', content: 'b' }]);
    const list = await inProject<{ data: unknown[] }>(place, 'GET', '/deployments');
    expect(list.body.data).toEqual([]);
  });
});
