import { expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/parts/test-database.ts';
import { openPool } from './pool.ts';

test('statements are not compiled, whatever the default of the server', async () => {
  const database = await createTestDatabase();
  const pool = openPool(database.connection, { max: 1, onIdleError: () => undefined });
  try {
    await pool.query(`alter database "${database.connection.database}" set jit = on`);
    const fresh = openPool(database.connection, { max: 1, onIdleError: () => undefined });
    const { rows } = await fresh.query("select current_setting('jit') as jit");
    await fresh.end();
    expect(rows).toEqual([{ jit: 'off' }]);
  } finally {
    await pool.end();
    await database.drop();
  }
});
