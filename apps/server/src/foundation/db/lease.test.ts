import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/parts/test-database.ts';
import { heldUntil } from './lease.sql.ts';
import { openDb, openPool } from './pool.ts';

let database: TestDatabase;
let pool: ReturnType<typeof openPool>;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.connection, { max: 1, onIdleError: () => undefined });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function holds(lease: string, seconds: number): Promise<boolean | undefined> {
  const { rows } = await sql<{ holds: boolean }>`
    select ${heldUntil('lease_until', seconds)} > clock_timestamp() as holds
    from (select clock_timestamp() + ${lease}::interval as lease_until) as one`.execute(openDb(pool));
  return rows[0]?.holds;
}

test('an expired lease holds until the database has been up for the length of a lease', async () => {
  const { rows } = await pool.query('select extract(epoch from clock_timestamp() - pg_postmaster_start_time()) as up');
  const up = Number(rows[0].up);
  expect(await holds('-1 second', up + 3_600)).toBe(true);
  expect(await holds('-1 second', 0)).toBe(false);
  expect(await holds('1 hour', 0)).toBe(true);
});
