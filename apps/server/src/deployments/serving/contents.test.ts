import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDb, openPool } from '../../foundation/db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/parts/test-database.ts';
import { createPieces } from '../pieces/index.ts';
import { createContents } from './contents.ts';

let database: TestDatabase;
let pool: ReturnType<typeof openPool>;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.connection, { max: 5, onIdleError: () => undefined });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const target = {
  deployment_id: 'dep_1',
  project_id: 'prj_1',
  artifact_id: 'art_1',
  start_command: null,
  spa: false,
};

/** The memory in use after garbage collection. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

test('paths invented by visitors take hardly any memory, however long and numerous they are', async () => {
  const db = openDb(pool);
  const pieces = createPieces({ db, objects: null, s3: { endpoint: null, region: null }, patience: 'visitor' });
  const contents = createContents({ db, pieces, caches: { mark: () => 0 } }, 1_000_000);
  await contents.file(target, '/first');
  const before = heldBytes();
  for (const length of [15_000, 3_000]) {
    for (let count = 0; count < 1_500; count++) {
      const path = Buffer.alloc(length, `/${count}-`).toString('latin1');
      expect(await contents.file(target, path)).toBeNull();
    }
  }
  expect(heldBytes() - before).toBeLessThan(10_000_000);
  expect(await contents.file(target, '/first')).toBeNull();
});
