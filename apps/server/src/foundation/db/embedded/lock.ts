import pg from 'pg';
import { database, port, user } from './layout.ts';

/**
 * The owner of the server holds a session-level advisory lock on one connection for as long as it lives. When the owner
 * dies in any way, the kernel closes that connection. So, unlike a process id in a file, the lock is never stale.
 *
 * The lock is taken in the database `postgres`, where it cannot collide with locks of the application.
 */
const lockKey = '1651471461, 1';
const longestDescription = 200;

/**
 * `service`: one per data directory. `command`: runs with or without a service. `child`: a process of a service, which
 * is never the owner.
 */
export type Holder = { role: 'service' | 'command' | 'child'; description: string };

export type Connection = { client: pg.Client; ended: Promise<void> };

/** Returns `nobody` if nothing listens there. Throws if a server listens but cannot be used now. */
export async function connect(socketDir: string): Promise<Connection | 'nobody' | Error> {
  const client = new pg.Client({
    ...{ host: socketDir, port, user, database: 'postgres', ssl: false },
    application_name: 'bottega owner',
    connectionTimeoutMillis: 5_000,
  });
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  // `ended` reports a lost connection. Without a listener, the event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await ensureDatabase(client);
    return { client, ended };
  } catch (error) {
    await client.end().catch(() => undefined);
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ECONNREFUSED' ? 'nobody' : (error as Error);
  }
}

/** Whether the error is cannot_connect_now, for example while the server recovers from a crash. */
export function isStarting(error: Error): boolean {
  return (error as pg.DatabaseError).code === '57P03';
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const databases = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
  if (databases.rowCount) return;
  await client.query(`CREATE DATABASE ${database}`).catch((error: pg.DatabaseError) => {
    // 42P04 is duplicate_database, and 23505 comes from the unique index of databases: another starter created the
    // database at the same moment.
    if (error.code !== '42P04' && error.code !== '23505') throw error;
  });
}

/**
 * Tries to take the lock. A comment in the statement says who we are. Others can read it in pg_stat_activity, because
 * this stays the last statement on the connection. (application_name would be cut off after 63 bytes.)
 */
export async function tryLock({ client }: Connection, { role, description }: Holder) {
  const note = { role, description: description.slice(0, longestDescription) };
  const { rows } = await client.query<{ held: boolean }>(
    `SELECT pg_try_advisory_lock(${lockKey}) AS held -- ${JSON.stringify(note)}`,
  );
  return rows[0]?.held === true;
}

export async function findHolder({ client }: Connection): Promise<Holder | undefined> {
  const { rows } = await client.query<{ query: string }>(
    `SELECT query FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND (classid, objid) = (${lockKey})
       AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  const query = rows[0]?.query;
  if (query === undefined) return undefined;
  try {
    return JSON.parse(query.slice(query.indexOf('-- ') + 3));
  } catch {
    return { role: 'service', description: 'an unknown process' };
  }
}
