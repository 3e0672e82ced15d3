import { CompiledQuery } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/parts/test-database.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { type Db, openDb, openPool } from './pool.ts';
import { openReadLane, type ReadLane, readLaneName } from './read-lane.ts';

let database: TestDatabase;
let pool: pg.Pool;
let db: Db;
let lane: ReadLane;
/** Reads that went through the pool. */
let byPool: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.connection, { max: 5, onIdleError: () => undefined });
  db = openDb(pool);
  const counting = {
    executeQuery: <Row>(query: CompiledQuery<Row>) => {
      byPool.push(query.sql);
      return db.executeQuery(query);
    },
  };
  lane = openReadLane(database.connection, counting as Db);
});
afterAll(async () => {
  await lane.close();
  await pool.end();
  await database.drop();
});

const read = async (text: string, ...values: unknown[]) =>
  (await lane.executeQuery(CompiledQuery.raw(text, values))).rows;
const echo = (value: number) => read('select $1::int as number', value);

const lines = async (): Promise<number> => {
  const { rows } = await pool.query(
    'select count(*)::int as lines from pg_stat_activity where application_name = $1 and datname = current_database()',
    [readLaneName],
  );
  return rows[0].lines;
};
const cutLines = () =>
  pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = current_database()',
    [readLaneName],
  );

/** Both lines are connected and free. */
beforeEach(async () => {
  await waitFor('the lane is open', async () => {
    byPool = [];
    await Promise.all([echo(1), echo(2)]);
    return byPool.length === 0 && (await lines()) === 2;
  });
});

test('rows are the same as if they were read through the pool', async () => {
  const text = `select $1::text as text, $2::bytea as bytes, null::int as nothing, 9007199254740991::bigint as large,
    true as yes, '2026-01-02T03:04:05.678Z'::timestamptz as time, array['a', 'b'] as list, '{"a": [1]}'::json as json`;
  const values = ['ä', Buffer.from([0, 255, 1])];
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, values));
  for (let round = 0; round < 3; round++) {
    await waitFor('the lane has read it', async () => {
      byPool = [];
      expect(await read(text, ...values)).toEqual(rows);
      return byPool.length === 0;
    });
  }
  expect(await read('select 1 as one where $1::int = 0', 1)).toEqual([]);
  expect(await read('select generate_series(1, $1::int) as number', 3)).toEqual(
    [1, 2, 3].map((number) => ({ number })),
  );
});

test('each of many concurrent reads gets its own answer', async () => {
  const numbers = Array.from({ length: 300 }, (_, number) => number);
  expect(await Promise.all(numbers.map(echo))).toEqual(numbers.map((number) => [{ number }]));
});

test('a statement that fails affects no other, and has the same error as in the pool', async () => {
  const answers = await Promise.allSettled([echo(1), read('select 1 / $1::int as number', 0), echo(2)]);
  expect(answers).toMatchObject([
    { value: [{ number: 1 }] },
    { reason: { code: '22012' } },
    { value: [{ number: 2 }] },
  ]);
  expect(byPool).toContain('select 1 / $1::int as number');
});

test('a slow statement is ended and repeated through the pool, and others wait no longer than that', async () => {
  const slow = read('select pg_sleep(1.5)::text || $1 as slept', '');
  const behind = Promise.all(Array.from({ length: 20 }, (_, number) => echo(number)));
  let isOver = false;
  void slow.then(() => {
    isOver = true;
  });
  expect(await behind).toHaveLength(20);
  expect(isOver).toBe(false);
  expect(await slow).toEqual([{ slept: '' }]);
});

test('reads on a connection that is cut are repeated through the pool, and the lane opens again', async () => {
  const numbers = Array.from({ length: 200 }, (_, number) => number);
  const all = Promise.all(numbers.map((number) => read('select $1::int as number, pg_sleep(0.01)::text', number)));
  await cutLines();
  expect((await all).map(([row]) => (row as { number: number }).number)).toEqual(numbers);
  expect(byPool.length).toBeGreaterThan(0);
});

test('a closed lane leaves all reads to the pool', async () => {
  const other = openReadLane(database.connection, db);
  await other.executeQuery(CompiledQuery.raw('select 1 as one', []));
  await other.close();
  await waitFor('its lines are gone', async () => (await lines()) === 2);
  expect((await other.executeQuery(CompiledQuery.raw('select 1 as one', []))).rows).toEqual([{ one: 1 }]);
});
