import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openEmbeddedDatabase } from '../../foundation/db/embedded/index.ts';
import { migrate } from '../../foundation/db/migrate.ts';
import { bundleForTests } from '../service/bundled-service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; port: number; user: string };
    /** The service's folder for processes that tests start. */
    bundle: string;
  }
}

const silent = { info() {}, warn() {} };

/**
 * One server for the whole run, with one migrated database that every test file clones, and one bundle of the service.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const bundle = bundleForTests();
  const dataDir = await mkdtemp(join(tmpdir(), 'bottega-test-'));
  const server = await openEmbeddedDatabase({ dataDir, holder: 'service', description: 'tests', log: silent });
  const { host, port, user, database } = server.connection;
  const admin = new pg.Client({ host, port, user, database });
  await admin.connect();
  // Test data does not outlive the test.
  await admin.query('alter system set fsync = off');
  await admin.query('alter system set synchronous_commit = off');
  await admin.query('alter system set full_page_writes = off');
  await admin.query('select pg_reload_conf()');
  await admin.query('create database template_bottega');
  await admin.end();
  await migrateTemplate({ host, port, user, database: 'template_bottega' });
  project.provide('postgres', { host, port, user });
  project.provide('bundle', await bundle);
  return async () => {
    await server.close();
    await rm(dataDir, { recursive: true });
  };
}

async function migrateTemplate(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  const pool = new pg.Pool({ ...connection, max: 1 });
  pool.on('error', () => undefined);
  pool.on('connect', (one) => one.on('error', () => undefined));
  await client.connect();
  await migrate(client, () => runMigrations({ pgPool: pool }));
  await client.end();
  await pool.end();
}
