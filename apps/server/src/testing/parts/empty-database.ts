import { randomBytes } from 'node:crypto';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { inject } from 'vitest';
import { migrate } from '../../foundation/db/migrate.ts';
import { openPool } from '../../foundation/db/pool.ts';
import { asAdmin, type TestDatabase } from './test-database.ts';

/** An empty database, as an operator creates it. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const database = `empty_${randomBytes(6).toString('hex')}`;
  await asAdmin(`create database ${database}`);
  return {
    connection: { ...inject('postgres'), database },
    drop: () => asAdmin(`drop database if exists ${database} with (force)`),
  };
}

export async function migrateOnce(
  connection: TestDatabase['connection'],
  names?: readonly string[],
): Promise<string[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const pool = openPool(connection, { max: 1, onIdleError: () => undefined });
  return migrate(client, () => runMigrations({ pgPool: pool }), names).finally(() =>
    Promise.all([pool.end(), client.end()]),
  );
}
