import { expect, test } from 'vitest';
import { firstIdAt, newId } from '../../foundation/ids.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { deleteLinesOlderThan } from './logs.sql.ts';

const service = useTestService({ role: 'api' });
const day = 86_400_000;
const now = Date.now();

test('log lines of old deployments are deleted unless the deployment is live or running; newer lines stay', async () => {
  const owner = await service.createUser();
  const project = newId('prj');
  await service.pool.query('insert into projects (id, owner_id, name) values ($1, $2, $3)', [project, owner.id, 'x']);
  for (let days = 80; days >= 35; days -= 5) await deleteLinesOlderThan(service.db, 30, now - days * day);
  const deployment = async (days: number, wanted: string | null = null) => {
    const id = firstIdAt('dep', new Date(now - days * day)).slice(0, 14) + newId('dep').slice(14);
    await service.pool.query(
      `insert into deployments (id, project_id, build_id, environment, trigger, branch, tree_sha, wanted_until)
       values ($1, $2, $3, 'production', 'api', 'main', '', $4)`,
      [id, project, newId('bld'), wanted],
    );
    await service.pool.query(
      `insert into deployment_logs (deployment_id, seq, at, level, stream, message)
       select $1, n, now(), 'info', 'stdout', 'x' from generate_series(1, 10) n`,
      [id],
    );
    return id;
  };
  const [gone, live, running, ofFirst, young] = [
    await deployment(50),
    await deployment(50),
    await deployment(50, 'infinity'),
    await deployment(100),
    await deployment(20),
  ];
  await service.pool.query('update projects set live_deployment_id = $2 where id = $1', [project, live]);
  await deleteLinesOlderThan(service.db, 30, now);
  const { rows } = await service.pool.query(
    'select deployment_id as id, count(*)::int as lines from deployment_logs group by 1 order by 1',
  );
  expect(rows).toEqual([live, running, young].toSorted().map((id) => ({ id, lines: 10 })));
  expect([gone, ofFirst].some((id) => rows.some((row) => row.id === id))).toBe(false);
});
