import { describe, expect, test } from 'vitest';
import { conflicting, expectError, missing } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { deployed, projectOf, readDeployment, untilEnded, visit } from '../../testing/samples/sample-deployments.ts';
import { inProject, type Place, writeFile } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { purgeArtifacts } from './purge.service.ts';

const service = useTestService();
const rule = { days: 30, kept: 2 };
const files = { '/index.html': 'first' };

/** Deployments made that long ago, each with different files. */
async function deployAll(place: Place, { count, environment = 'production', daysAgo = 31 }: Past): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    await writeFile(place, '/index.html', `${environment} ${n} ${'x'.repeat(1000)}`);
    ids.push((await deployed(place, { environment })).id);
  }
  await service.pool.query(
    'update deployments set completed_at = now() - make_interval(days => $2) where id = any($1)',
    [ids, daysAgo],
  );
  return ids;
}
type Past = { count: number; environment?: string; daysAgo?: number };

const served = async (place: Place, ids: string[]) =>
  Promise.all(ids.map(async (id) => (await readDeployment(place, id)).url !== null));

async function keptOf({ projectId }: Place) {
  const { rows } = await service.pool.query(
    `select (select count(*)::int from artifacts where project_id = $1) as artifacts,
       (select sum(octet_length(content))::int from artifact_chunks where project_id = $1) as bytes,
       (select artifact_bytes::int from project_stats where project_id = $1) as counted`,
    [projectId],
  );
  return rows[0] as { artifacts: number; bytes: number; counted: number };
}
const usedBy = async ({ user }: Place) =>
  (await call<{ stored_bytes: { used: number } }>('GET', `${service.url}/v1/user/usage`, { token: user.key })).body
    .stored_bytes.used;

describe('the artifact of a deployment', () => {
  test('is purged once it is old, not live and not among the latest of its environment; until then it counts as stored', async () => {
    const place = await projectOf(service, files);
    const production = await deployAll(place, { count: 4 });
    const preview = await deployAll(place, { count: 3, environment: 'preview' });
    await inProject(place, 'POST', `/deployments/${production[0]}/rollback`);
    const [before, used] = [await keptOf(place), await usedBy(place)];
    expect(before).toMatchObject({ artifacts: 7, counted: before.bytes });
    const { url } = await readDeployment(place, String(production[1]));
    await purgeArtifacts(service.db, rule);
    expect(await served(place, production)).toEqual([true, false, true, true]);
    expect(await served(place, preview)).toEqual([false, true, true]);
    const after = await keptOf(place);
    expect(after).toMatchObject({ artifacts: 5, counted: after.bytes });
    expect(before.bytes - after.bytes).toBeGreaterThan(2000);
    expect(used - (await usedBy(place))).toBe(before.bytes - after.bytes);
    // A recently found page is cached for a second.
    await expect.poll(async () => (await visit(`${url}/`)).status, { timeout: 20_000 }).toBe(404);
    const live = await readDeployment(place, String(production[0]));
    expect((await visit(`${live.url}/`)).text).toMatch(/^production 0 /);
  });

  test('is not purged while it is young, however many came after it', async () => {
    const place = await projectOf(service, files);
    const ids = await deployAll(place, { count: 4, daysAgo: 29 });
    await purgeArtifacts(service.db, rule);
    expect(await served(place, ids)).toEqual([true, true, true, true]);
  });

  test('is not purged while its app is visited, or while another deployment serves it too', async () => {
    const place = await projectOf(service, files);
    const ids = await deployAll(place, { count: 4 });
    await service.pool.query("update deployments set wanted_until = now() + interval '1 minute' where id = $1", [
      ids[0],
    ]);
    const again = await inProject<{ id: string }>(place, 'POST', `/deployments/${ids[1]}/redeploy`);
    await untilEnded(place, again.body.id);
    await purgeArtifacts(service.db, rule);
    expect(await served(place, [...ids, again.body.id])).toEqual([true, false, false, true, true]);
    const { url } = await readDeployment(place, again.body.id);
    expect((await visit(`${url}/`)).text).toMatch(/^production 1 /);
  });

  test('is not purged while the project is built, because builds may rely on its pieces, but is purged afterwards', async () => {
    const place = await projectOf(service, files);
    await deployAll(place, { count: 3 });
    const before = await keptOf(place);
    await service.pool.query(
      `insert into deployments (id, project_id, build_id, environment, trigger, branch, tree_sha, status, worker_id, lease_until)
       values ('dep_busy', $1, 'bld_busy', 'preview', 'api', 'main', '', 'building', 'nobody', now() + interval '1 hour')`,
      [place.projectId],
    );
    await purgeArtifacts(service.db, rule);
    expect(await keptOf(place)).toEqual(before);
    await service.pool.query("delete from deployments where id = 'dep_busy'");
    await purgeArtifacts(service.db, rule);
    expect(await keptOf(place)).toMatchObject({ artifacts: 2 });
  });
});

test('a project whose artifacts cannot be purged does not prevent the purge of others', async () => {
  const places = [await projectOf(service, files), await projectOf(service, files)] as const;
  for (const place of places) await deployAll(place, { count: 4 });
  // Tests both orders, so that each blocks the other once.
  for (const [index, stuck] of places.entries()) {
    const other = places[1 - index] ?? stuck;
    await service.pool.query(
      `create or replace function refuse() returns trigger language plpgsql as $$ begin
        if old.project_id = '${stuck.projectId}' then raise exception 'stuck'; end if; return new; end $$`,
    );
    await service.pool.query(
      'create trigger refuse before update on deployments for each row execute function refuse()',
    );
    await purgeArtifacts(service.db, rule).catch(() => undefined);
    await service.pool.query('drop trigger refuse on deployments');
    const { rows } = await service.pool.query(
      'select count(artifact_id)::integer as kept from deployments where project_id = $1',
      [other.projectId],
    );
    expect(rows[0]?.kept).toBe(2);
  }
});

test('a purged deployment cannot go live again and says why, but it can be deployed again', async () => {
  const place = await projectOf(service, files);
  const [first = ''] = await deployAll(place, { count: 3 });
  await purgeArtifacts(service.db, rule);
  for (const action of ['rollback', 'promote']) {
    const answer = await inProject(place, 'POST', `/deployments/${first}/${action}`);
    expectError(answer, conflicting);
    expect(answer.text).toContain('The files of this deployment were purged; redeploy it instead');
  }
  expectError(await inProject(place, 'GET', `/deployments/${first}/artifacts`), missing);
  const again = await inProject<{ id: string }>(place, 'POST', `/deployments/${first}/redeploy`);
  expect((await untilEnded(place, again.body.id)).status).toBe('success');
});
