import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { useTestService } from '../../testing/service/test-service.ts';
import { firstIdAt, newId } from '../ids.ts';
import { keepPartitions, type TimedTable } from './index.ts';
import { listPartitions } from './partitions.sql.ts';

const service = useTestService();
const day = 86_400_000;
const start = Date.UTC(2026, 0, 1, 12);
const table: TimedTable = { name: 'notes', key: 'id', prefix: 'evt' };
const keeping = {
  ...table,
  staying: (below: string) => sql`select id from notes where id < ${below} and pinned`,
} satisfies TimedTable;

beforeEach(async () => {
  await service.pool.query(`
    drop table if exists notes;
    create table notes (id text collate "C" primary key, text text not null default '', pinned boolean not null default false)
      partition by range (id);
    alter table notes alter column text set statistics 0;
    create index notes_pinned on notes (id) where pinned;
    create table notes_first (like notes including all) with (fillfactor = 70);
    alter table notes attach partition notes_first for values from (minvalue) to (maxvalue)`);
});

const idAt = (time: number) => firstIdAt('evt', new Date(time)).slice(0, 14) + newId('evt').slice(14);
async function note(time: number, { text = '', pinned = false } = {}): Promise<string> {
  const id = idAt(time);
  await service.pool.query('insert into notes values ($1, $2, $3)', [id, text, pinned]);
  return id;
}
const keep = (now: number, days = 30, which: TimedTable = table) => keepPartitions(service.db, which, { days, now });
const ids = async () => (await service.pool.query('select id from notes order by id')).rows.map(({ id }) => id);
const names = async () => (await listPartitions(service.db, 'notes')).map(({ name }) => name);
const placeOf = async (id: string) =>
  (await service.pool.query('select tableoid::regclass::text as name from notes where id = $1', [id])).rows[0]?.name;

describe('future partitions', () => {
  test('exist before their time, each with the indexes and settings of the table', async () => {
    await keep(start);
    expect(await names()).toEqual(['notes_first', 'notes_from_20260103']);
    await keep(start + 12 * day);
    expect(await names()).toEqual(['notes_first', 'notes_from_20260103', 'notes_from_20260119']);
    const { rows } = await service.pool.query(`
      select (select count(*)::int from pg_index where indrelid = c.oid) as indexes, reloptions,
        (select attstattarget::int from pg_attribute where attrelid = c.oid and attname = 'text') as statistics
      from pg_class c where relname = 'notes_from_20260119'`);
    expect(rows).toEqual([{ indexes: 2, reloptions: ['fillfactor=70'], statistics: 0 }]);
  });

  test('are made once even by several runs at once, and left alone by the next run', async () => {
    await Promise.all([keep(start), keep(start), keep(start)]);
    const made = await names();
    await keep(start);
    expect(await names()).toEqual(made);
  });

  test('may be missing for months, and rows of any time can still be written', async () => {
    await keep(start);
    const written = [await note(0), await note(start), await note(start + 400 * day), await note(start + 4000 * day)];
    expect(await ids()).toEqual(written);
    await keep(start + 400 * day, 1000);
    expect(await ids()).toEqual(written);
    // A row from a clock that was ahead is in the partition without an end.
    expect(await placeOf(written[3] ?? '')).toBe((await names()).at(-1));
    const further = await note(start + 401 * day);
    expect(await placeOf(further)).not.toBe(await placeOf(written[3] ?? ''));
  });

  test('take the rows on their side of the border', async () => {
    await keep(start);
    const border = Date.UTC(2026, 0, 3);
    const [before, after] = [await note(border - 1), await note(border)];
    expect(await placeOf(before)).toBe('notes_first');
    expect(await placeOf(after)).toBe('notes_from_20260103');
  });
});

describe('an expired partition', () => {
  async function months(count: number): Promise<string[]> {
    const written: string[] = [];
    for (let days = 0; days < count * 30; days += 5) {
      await keep(start + days * day, 90);
      written.push(await note(start + days * day));
    }
    return written;
  }

  test('is dropped with all its rows; younger rows stay, in a number of partitions that does not grow', async () => {
    const written = await months(8);
    const now = start + 240 * day;
    const kept = await keep(now, 90);
    expect(kept.getTime()).toBeLessThanOrEqual(now - 90 * day);
    expect(kept.getTime()).toBeGreaterThan(now - 114 * day);
    expect(await ids()).toEqual(written.filter((id) => id >= firstIdAt('evt', kept)));
    expect((await names()).length).toBeLessThanOrEqual(10);
    expect((await names())[0]).toBe('notes_first');
  });

  test('leaves rows that must stay to the first partition, where they can be found, changed and deleted', async () => {
    for (const time of [start, start + 2 * day]) await keep(time, 30, keeping);
    const pinned = [await note(start, { pinned: true }), await note(start + 3 * day, { pinned: true })];
    const gone = [await note(start), await note(start + 3 * day)];
    const young = await note(start + 60 * day);
    await keep(start + 60 * day, 30, keeping);
    expect(await ids()).toEqual([...pinned, young]);
    expect(await placeOf(pinned[1] ?? '')).toBe('notes_first');
    expect(gone).toHaveLength(2);
    await service.pool.query('update notes set pinned = false where id = $1', [pinned[1]]);
    await keep(start + 120 * day, 30, keeping);
    expect(await ids()).toEqual([pinned[0]]);
  });

  test('stays if more rows must be kept than can be moved in a moment', async () => {
    for (const time of [start, start + 2 * day]) await keep(time, 30, keeping);
    await service.pool.query(
      `insert into notes select $1 || lpad(n::text, 16, '0'), '', true from generate_series(1, 20001) n`,
      [firstIdAt('evt', new Date(start + 3 * day)).slice(0, 14)],
    );
    await keep(start + 60 * day, 30, keeping);
    expect(await ids()).toHaveLength(20_001);
    await service.pool.query(`delete from notes where id like '%0'`);
    await keep(start + 60 * day, 30, keeping);
    expect(await ids()).toHaveLength(18_001);
    expect((await names())[1]).not.toBe('notes_from_20260103');
  });

  test('is dropped only after its readers have finished, and keeps nobody else waiting for long', async () => {
    for (const time of [start, start + 2 * day]) await keep(time);
    await note(start + 3 * day);
    const reader = await service.pool.connect();
    await reader.query('begin');
    await reader.query('select count(*) from notes');
    const dropping = keep(start + 60 * day);
    const written = await note(start + 61 * day);
    await reader.query('commit');
    reader.release();
    await dropping;
    await keep(start + 60 * day);
    expect(await ids()).toEqual([written]);
  });
});

describe('a table that is too large to be scanned while others wait', () => {
  const large = async () => {
    await service.pool.query(`
      alter table notes_first alter column text set storage external;
      insert into notes select '${firstIdAt('evt', new Date(start)).slice(0, 14)}' || lpad(n::text, 16, '0'), repeat('x', 1900)
      from generate_series(1, 18000) n`);
  };
  const proofs = async () =>
    (await service.pool.query("select convalidated from pg_constraint where conname = 'before_the_next'")).rows;

  test('gets its end a week ahead, after a scan that nobody waits for', async () => {
    await large();
    await keep(start);
    expect(await names()).toEqual(['notes_first', 'notes_from_20260111']);
    expect(await proofs()).toEqual([]);
    await note(start + 2 * day);
    expect(await ids()).toHaveLength(18_001);
  });

  test('continues after an interruption, even once the planned border has passed', async () => {
    await large();
    const left = firstIdAt('evt', new Date(start + 8 * day));
    await service.pool.query(`alter table notes_first add constraint before_the_next check (id < '${left}') not valid`);
    await keep(start + 20 * day);
    expect(await proofs()).toEqual([]);
    await note(start + 21 * day);
    expect((await names()).length).toBe(2);
  });
});
