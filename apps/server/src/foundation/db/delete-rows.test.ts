import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { useTestService } from '../../testing/service/test-service.ts';
import { inBatches } from './batches.ts';
import { deleteRows } from './delete-rows.sql.ts';

const service = useTestService();
beforeEach(() => service.pool.query('drop table if exists heap'));

describe('rows of any number', () => {
  test('are deleted by several statements of bounded size, and no other rows are', async () => {
    await service.pool.query('create table heap as select n, n % 2 = 0 as old from generate_series(1, 7000) n');
    await service.pool.query(`
      create table if not exists heap_statements (deleted int);
      truncate heap_statements;
      create or replace function count_deleted() returns trigger language plpgsql as $$
        begin insert into heap_statements select count(*) from dead; return null; end $$;
      create trigger heap_deleted after delete on heap referencing old table as dead
        for each statement execute function count_deleted()`);
    await deleteRows(service.db, { table: 'heap', by: 'n', where: sql`gone.old` });
    const left = await service.pool.query(
      'select count(*)::int as all, count(*) filter (where old)::int as old from heap',
    );
    expect(left.rows).toEqual([{ all: 3500, old: 0 }]);
    const { rows } = await service.pool.query<{ deleted: number }>('select deleted from heap_statements');
    expect(rows.length).toBeGreaterThan(2);
    expect(Math.max(...rows.map(({ deleted }) => deleted))).toBeLessThanOrEqual(5000);
  });

  test('stay deleted if a later batch fails', async () => {
    await service.pool.query('create table heap as select n from generate_series(1, 1000) n');
    let turns = 0;
    const prepare = async () => {
      turns++;
      if (turns === 3) throw new Error('the database went away');
    };
    const deleting = deleteRows(service.db, { table: 'heap', by: 'n', where: sql`true`, prepare });
    await expect(deleting).rejects.toThrow('went away');
    const { rows } = await service.pool.query('select min(n) as first from heap');
    expect(rows[0].first).toBeGreaterThan(100);
    await deleteRows(service.db, { table: 'heap', by: 'n', where: sql`true` });
    expect((await service.pool.query('select from heap')).rowCount).toBe(0);
  });
});

describe('work in batches', () => {
  test('asks for more rows as long as it is quick, up to a bound, and ends with the first partial batch', async () => {
    const asked: number[] = [];
    let left = 30_000;
    await inBatches(async (rows) => {
      asked.push(rows);
      const done = Math.min(rows, left);
      left -= done;
      return done;
    });
    expect(left).toBe(0);
    expect(asked[0]).toBe(100);
    expect(Math.max(...asked)).toBeLessThanOrEqual(5000);
  });

  test('leaves the rest to the next run once its time is up', async () => {
    let turns = 0;
    await inBatches(
      async (rows) => {
        turns++;
        return rows;
      },
      { longestMs: -1 },
    );
    expect(turns).toBe(1);
  });
});
