import pg from 'pg';
import { MigrationError } from './migrate.ts';
import type { ConnectionOptions } from './pool.ts';
import type { Pool } from './prepared-statements.ts';

/**
 * Checks at the start whether one of the two addresses is wrong. Otherwise, nobody would notice, because through a
 * pooler in transaction mode, LISTEN receives nothing but causes no error.
 */
export async function checkAddresses(connection: ConnectionOptions, pool: Pool): Promise<void> {
  const { forEachTransaction } = pool;
  const client = new pg.Client({ ...connection, application_name: 'bottega check' });
  await client.connect();
  const server = await describeServer(client).finally(() => client.end());
  // A pooler reports an invented process id to a new connection.
  if ((client as unknown as { processID: number }).processID !== server.process) {
    throw new MigrationError(
      forEachTransaction === undefined
        ? 'DATABASE_URL points to a pooler. Set DATABASE_SESSION_URL to the PostgreSQL server behind it.'
        : 'DATABASE_SESSION_URL points to a pooler. It must point to the PostgreSQL server itself.',
    );
  }
  if (forEachTransaction === undefined) return;
  const behind = await describeServer(pool);
  if (behind.database !== server.database || behind.started !== server.started) {
    throw new MigrationError('DATABASE_URL and DATABASE_SESSION_URL point to different databases.');
  }
}

type Server = { process: number; database: string; started: string };

async function describeServer(at: Pick<pg.ClientBase, 'query'>): Promise<Server> {
  const { rows } = await at.query<Server>(
    `select pg_backend_pid() as process, current_database() as database, pg_postmaster_start_time()::text as started`,
  );
  return rows[0] as Server;
}
