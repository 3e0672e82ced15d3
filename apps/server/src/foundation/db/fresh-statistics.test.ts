import { expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { analyseGrownTables } from './fresh-statistics.ts';

const service = useTestService();

test('a table that has grown is analysed within seconds, so that no statement keeps a plan for an empty table', async () => {
  await service.pool.query(`
    insert into git_objects (project_id, sha, type, size, deflated)
    select 'prj_x', sha256(n::text::bytea), 3, 1, '' from generate_series(1, 2000) n`);
  await waitFor('statistics', async () => {
    const { rows } = await service.pool.query("select reltuples from pg_class where relname = 'git_objects'");
    return rows[0].reltuples >= 2000;
  });
});

test('a table that changes without growing is not analysed', async () => {
  const watched = "from pg_stat_user_tables where relname = 'git_objects'";
  const analysed = async () => (await service.pool.query(`select analyze_count as count ${watched}`)).rows[0].count;
  await service.pool.query("update git_objects set size = size + 1 where project_id = 'prj_x'");
  await waitFor('the changes are known', async () => {
    const { rows } = await service.pool.query(`select n_mod_since_analyze as changed ${watched}`);
    return rows[0].changed >= 2000;
  });
  const before = await analysed();
  await analyseGrownTables(service.pool);
  expect(await analysed()).toBe(before);
});

test('a table that has not grown is not analysed', async () => {
  await waitFor('nothing has grown', async () => (await analyseGrownTables(service.pool)) === 0);
  expect(await analyseGrownTables(service.pool)).toBe(0);
});
