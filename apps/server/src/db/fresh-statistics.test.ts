import { expect, test } from 'vitest';
import { useTestService } from '../testing/test-service.ts';
import { waitFor } from '../testing/wait-for.ts';
import { analyseGrownTables } from './fresh-statistics.ts';

const service = useTestService();

test('a table that has grown is analysed within seconds, so that no statement keeps a plan for an empty one', async () => {
  await service.pool.query(`
    insert into git_objects (project_id, sha, type, size, deflated)
    select 'prj_x', sha256(n::text::bytea), 3, 1, '' from generate_series(1, 2000) n`);
  await waitFor('statistics', async () => {
    const { rows } = await service.pool.query("select reltuples from pg_class where relname = 'git_objects'");
    return rows[0].reltuples >= 2000;
  });
});

test('what has not grown is left alone', async () => {
  await waitFor('nothing has grown', async () => (await analyseGrownTables(service.pool)) === 0);
  expect(await analyseGrownTables(service.pool)).toBe(0);
});
