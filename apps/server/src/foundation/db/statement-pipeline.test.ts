import { CompiledQuery, sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/parts/test-database.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { isRolledBack } from './errors.ts';
import { type Db, openDb, openPool } from './pool.ts';
import { askTogether } from './questions.ts';
import { withNext } from './statement-pipeline.ts';
import { type Trx, transaction } from './transaction.ts';

let database: TestDatabase;
let pool: pg.Pool;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.connection, { max: 3, onIdleError: () => undefined });
  db = openDb(pool);
  await pool.query('create table notes (id int primary key, text text not null)');
});
beforeEach(async () => {
  await pool.query('truncate notes');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const note = (trx: Trx, id: number, text = 'new') =>
  sql`${withNext} insert into notes values (${id}, ${text})`.execute(trx);
const notes = async () => (await pool.query('select id from notes order by id')).rows.map(({ id }) => id);
const question = (text: string) => ({
  query: CompiledQuery.raw(text, []),
  read: (rows: { text: string }[]) => rows.map((row) => row.text),
});

test('a transaction that has sent no query yet is not begun, and leaves its connection as it was', async () => {
  const states = async () => {
    const { rows } = await pool.query(
      "select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
    );
    return rows.length;
  };
  await expect(
    transaction(db, async () => {
      expect(await states()).toBe(0);
      throw new Error('changed its mind');
    }),
  ).rejects.toThrow('changed its mind');
  await transaction(db, async (trx) => {
    await sql`select 1`.execute(trx);
    expect(await states()).toBe(1);
  });
  expect(await states()).toBe(0);
});

test('statements whose result nobody awaits run before the next statement, in order', async () => {
  await transaction(db, async (trx) => {
    await note(trx, 1);
    await note(trx, 2);
    const { rows } = await sql<{ id: number }>`select id from notes order by id`.execute(trx);
    expect(rows).toEqual([{ id: 1 }, { id: 2 }]);
    await note(trx, 3);
  });
  expect(await notes()).toEqual([1, 2, 3]);
});

test('large statements are sent without waiting for a query, and still run in order and are undone together', async () => {
  const large = Buffer.alloc(600 * 1024);
  const noteSize = (trx: Trx, id: number) =>
    sql`${withNext} insert into notes values (${id}, octet_length(${large}::bytea)::text)`.execute(trx);
  const inserting = "select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'";
  const undone = transaction(db, async (trx) => {
    await note(trx, 1);
    expect((await pool.query(inserting)).rowCount).toBe(0);
    await noteSize(trx, 2);
    expect((await pool.query(inserting)).rowCount).toBe(1);
    await noteSize(trx, 2);
  });
  await expect(undone).rejects.toThrow('duplicate key');
  expect(await notes()).toEqual([]);
});

test('the failure of a statement that nobody awaits fails the commit, which then keeps nothing', async () => {
  const failing = transaction(db, async (trx) => {
    await note(trx, 1);
    await note(trx, 1);
    await note(trx, 2);
  });
  const error = await failing.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: '23505' });
  expect(isRolledBack(error)).toBe(true);
  expect(await notes()).toEqual([]);
  await transaction(db, (trx) => note(trx, 1));
  expect(await notes()).toEqual([1]);
});

test('a rollback leaves out statements that were not sent yet', async () => {
  const refused = transaction(db, async (trx) => {
    await sql`select 1`.execute(trx);
    await note(trx, 1);
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  await transaction(db, (trx) => note(trx, 2));
  expect(await notes()).toEqual([2]);
});

test('a query that is sent together with a lock sees the changes of those who held the lock', async () => {
  await pool.query("insert into notes values (1, 'before')");
  const questions = [
    question('select text from notes where id = 1 for no key update'),
    question('select text from notes'),
  ] as const;
  const waiting = async () =>
    (await pool.query("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))
      .rows.length > 0;
  let second: Promise<unknown> = Promise.resolve();
  await transaction(db, async (trx) => {
    await sql`update notes set text = 'after' where id = 1`.execute(trx);
    second = transaction(db, (other) => askTogether(other, questions));
    await waitFor('the other waits', waiting);
  });
  expect(await second).toEqual([['after'], ['after']]);
});

test('of queries that are sent together, the first one that fails is reported', async () => {
  const asking = transaction(db, (trx) => askTogether(trx, [question('select 1 / 0'), question('select 1')]));
  await expect(asking).rejects.toMatchObject({ code: '22012' });
});
