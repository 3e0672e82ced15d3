import { expect, test } from 'vitest';
import { deleteOldLines } from '../deployments/index.ts';
import { firstIdAt, newId } from '../foundation/ids.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { buildSettings } from '../testing/samples/sample-deployments.ts';
import { onProject } from '../testing/samples/sample-projects.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { checked, projectWithChecks } from './checks.fixture.ts';
import { checkBook, dropOldAnnotations } from './state/index.ts';

const service = useTestService({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });
const day = 86_400_000;

test('a purge removes the checks of a project with all their data', async () => {
  const run = "mkdir kept; echo x > kept/x; echo '::notice file=bottega.json::seen'";
  const place = await projectWithChecks(service, { test: { run, cache: ['kept'] } });
  await checked(place);
  const counts = async () =>
    (
      await service.pool.query(
        `with runs as (select id from check_runs where project_id = $1)
         select (select count(*)::int from runs) as runs, (select count(*)::int from check_caches where project_id = $1) as caches,
           (select count(*)::int from check_annotations where check_id in (select id from runs)) as annotations,
           (select count(*)::int from artifact_chunks where project_id = $1) as pieces`,
        [place.projectId],
      )
    ).rows[0];
  expect(await counts()).toEqual({ runs: 1, caches: 1, annotations: 1, pieces: 1 });
  const lines = async () => (await service.pool.query('select count(*)::int as lines from check_logs')).rows[0]?.lines;
  expect(await lines()).toBeGreaterThan(0);
  expect((await onProject(service, place.user, place.projectId, ['DELETE'])).status).toBe(200);
  const { body: project } = await onProject<{ name: string }>(service, place.user, place.projectId, ['GET']);
  const purged = await onProject(service, place.user, `${place.projectId}/purge`, ['POST', { name: 'Sample' }]);
  expect(purged.status, JSON.stringify([project, purged.body])).toBe(202);
  await waitFor('it is purged', async () => (await counts()).runs === 0);
  expect(await counts()).toEqual({ runs: 0, caches: 0, annotations: 0, pieces: 0 });
  expect(await lines()).toBe(0);
});

test('log lines and annotations of old checks are deleted, but not if an old check has run again recently', async () => {
  const place = await projectWithChecks(service, {});
  const old = async (name: string, startedDaysAgo: number) => {
    const id = firstIdAt('chk', new Date(Date.now() - 50 * day)).slice(0, 14) + newId('chk').slice(14);
    await service.pool.query(
      `insert into check_runs (id, project_id, name, head_sha, tree_sha, definition, environment, command, status,
         conclusion, attempt, started_at, completed_at)
       values ($1, $2, $3::text, '', '', convert_to($3::text, 'UTF8'), '', 'x', 'completed', 'success', 2, $4, $4)`,
      [id, place.projectId, name, new Date(Date.now() - startedDaysAgo * day)],
    );
    await service.pool.query("insert into check_logs values ($1, 1, now(), 'info', 'stdout', 'x')", [id]);
    await service.pool.query("insert into check_annotations values ($1, 1, '/a', 1, 1, 'notice', '', 'x')", [id]);
    return id;
  };
  const gone = await old('gone', 50);
  const stays = await old('stays', 2);
  await deleteOldLines(service.db, checkBook, 30);
  await dropOldAnnotations(service.db, 30);
  for (const table of ['check_logs', 'check_annotations']) {
    const left = await service.pool.query(`select check_id from ${table} where check_id = any($1)`, [[gone, stays]]);
    expect(left.rows, table).toEqual([{ check_id: stays }]);
  }
});
