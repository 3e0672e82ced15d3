import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export type TestDatabase = {
  connection: { host: string; port: number; user: string; database: string };
  drop(): Promise<void>;
};

/** A new database, cloned from the migrated template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('postgres');
  const database = `test_${randomBytes(6).toString('hex')}`;
  // The template is copied as files, which without fsync is several times faster than through the WAL.
  await asAdmin(`create database ${database} template template_bottega strategy file_copy`);
  return {
    connection: { ...server, database },
    drop: () => asAdmin(`drop database if exists ${database} with (force)`),
  };
}

export async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ ...inject('postgres'), database: 'postgres' });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
