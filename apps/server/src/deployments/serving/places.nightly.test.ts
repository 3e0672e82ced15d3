import { describe, expect, test } from 'vitest';
import { nobodyElse } from '../../foundation/cluster/siblings.ts';
import { newId } from '../../foundation/ids.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import {
  buildSettings,
  deploy,
  deployed,
  logsOf,
  projectOf,
  textOf,
  visit,
} from '../../testing/samples/sample-deployments.ts';
import { inProject, newPlace } from '../../testing/samples/sample-files.ts';
import { readProject } from '../../testing/samples/sample-projects.ts';
import {
  startTestService,
  type TestService,
  type TestUser,
  useTestService,
} from '../../testing/service/test-service.ts';
import { createBell } from '../state/bell.ts';
import { bringUp } from './bring-up.ts';
import { listWanted } from './instances.sql.ts';
import { takePlace } from './places.ts';

const settings = { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process', BOTTEGA_APP_START_TIMEOUT: '20' };
const files = {
  '/bottega.json': JSON.stringify({ start: 'node server.js' }),
  '/server.js': `require('http').createServer((request, response) => response.end('up')).listen(process.env.PORT)`,
};
const appOf = (service: TestService, user: TestUser) => projectOf(service, files, user);
const runningOf = async (service: TestService, user: TestUser): Promise<number> =>
  (
    await service.pool.query(
      `select count(*) from app_instances i join deployments d on d.id = i.deployment_id
       join projects p on p.id = d.project_id where p.owner_id = $1 and i.status in ('starting', 'healthy')`,
      [user.id],
    )
  ).rows[0].count;

describe('for an account whose plan allows two server apps', () => {
  const service = useTestService({ settings: { ...settings, BOTTEGA_APPS_FREE: '2' } });

  test('a third app is refused with that reason while both are in use, and the app of another account is served', async () => {
    const [busy, other] = [await service.createUser(), await service.createUser()];
    const [first, second, third] = [await appOf(service, busy), await appOf(service, busy), await appOf(service, busy)];
    for (const place of [first, second]) expect((await deployed(place)).status).toBe('success');
    const refused = await deployed(third);
    const reason = 'The free plan allows 2 running server apps, and all are in use';
    expect(refused).toMatchObject({ status: 'failed', error: { type: 'plan_limit', message: reason } });
    expect(textOf(await logsOf(third, refused.id))).toContain(reason);
    expect((await deployed(await appOf(service, other))).status).toBe('success');
    const again = await deployed(first);
    expect(again.status, 'one that replaces the live app of its project').toBe('success');
    await waitFor('the former is gone', async () => (await runningOf(service, busy)) === 2);
  });

  test('an idle app that is not live sleeps to make room for a third app, and a visit wakes it if there is room', async () => {
    const user = await service.createUser();
    const [live, preview, next] = [await appOf(service, user), await appOf(service, user), await appOf(service, user)];
    expect((await deployed(live)).status).toBe('success');
    const shown = await deployed(preview, { environment: 'preview' });
    expect(shown.status).toBe('success');
    await service.pool.query(`update deployments set wanted_at = now() - interval '2 minutes' where id = $1`, [
      shown.id,
    ]);
    expect((await deployed(next)).status).toBe('success');
    expect(await runningOf(service, user)).toBe(2);
    const page = await visit(`${shown.url}/`);
    expect([page.status, page.text]).toEqual([
      503,
      expect.stringContaining('The free plan allows 2 running server apps'),
    ]);
    const { live_url: url } = await readProject(service, user, live.projectId);
    expect((await visit(`${url}/`)).text).toBe('up');
  });
});

test('the last place of a worker is kept for an account without running apps', async () => {
  const { running: service, close } = await startTestService({
    settings: { ...settings, BOTTEGA_APP_CONCURRENCY: '3' },
  });
  const [busy, other] = [await service.createUser(), await service.createUser()];
  for (const place of [await appOf(service, busy), await appOf(service, busy)]) {
    expect((await deployed(place)).status).toBe('success');
  }
  const third = await appOf(service, busy);
  const { id } = await deploy(third);
  await waitFor('it waits for a place', async () => {
    const { rows } = await service.pool.query('select wanted_until from deployments where id = $1', [id]);
    return rows[0].wanted_until !== null;
  });
  expect((await deployed(await appOf(service, other))).status).toBe('success');
  expect(await runningOf(service, busy)).toBe(2);
  await inProject(third, 'POST', `/deployments/${id}/cancel`);
  await close();
});

describe('without a running worker', () => {
  const service = useTestService({ role: 'api' });

  /** Visited server apps of one account. */
  async function wantedApps(count: number): Promise<{ user: TestUser; ids: string[] }> {
    const { user, projectId } = await newPlace(service);
    const ids = Array.from({ length: count }, () => newId('dep'));
    for (const id of ids) {
      const artifact = newId('art');
      await service.pool.query(
        `insert into artifacts (id, project_id, digest, start_command, spa, file_count, size) values ($1, $2, $3, 'x', false, 0, 0)`,
        [artifact, projectId, Buffer.from(artifact)],
      );
      await service.pool.query(
        `insert into deployments (id, project_id, build_id, environment, trigger, branch, tree_sha, status, artifact_id,
           wanted_until, wanted_at)
         values ($1, $2, $3, 'preview', 'api', 'main', '', 'success', $4, now() + interval '1 hour', now())`,
        [id, projectId, newId('bld'), artifact],
      );
    }
    return { user, ids };
  }

  test('two workers that look at the same moment start no more apps of an account than its plan allows', async () => {
    const { user } = await wantedApps(6);
    const limits = { free: 2, pro: null, enterprise: null };
    const wanted = await listWanted(service.db);
    expect(wanted).toHaveLength(6);
    const taken = await Promise.all(
      [...wanted, ...wanted].map((app, index) =>
        takePlace(service.db, newId('ins'), app, { workerId: index < 6 ? 'one' : 'two', limits, isLastPlace: false }),
      ),
    );
    expect(taken.filter((outcome) => outcome === 'taken')).toHaveLength(2);
    expect(await runningOf(service, user)).toBe(2);
  });

  test('an app that no worker starts in time fails with that reason', async () => {
    const { ids } = await wantedApps(1);
    const asked = bringUp(
      { db: service.db, bell: createBell(nobodyElse), startSeconds: 1, roomSeconds: 0 },
      ids[0] ?? '',
    );
    await expect(asked).rejects.toMatchObject({
      type: 'unhealthy',
      message: 'No worker started the app within 1 seconds',
    });
  });
});
