import { EventEmitter } from 'node:events';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { preparing } from './prepared-statements.ts';
import type { Database } from './schema.ts';

export type Db = Kysely<Database> & {
  /** Who wants to know of what was committed through this object, and only through it, is told here. */
  readonly commits: EventEmitter;
};
export type ConnectionOptions = Pick<pg.PoolConfig, 'connectionString' | 'host' | 'port' | 'user' | 'database'>;

// Counters and byte totals are bigint; all of ours stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** For a lock that somebody else holds. Whoever waits for one keeps a connection meanwhile. */
const longestLockWaitMs = 10_000;

export function openPool(
  connection: ConnectionOptions,
  options: { max: number; onIdleError: (error: Error) => void },
): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max: options.max,
    application_name: 'bottega',
    // Beyond this the caller gets a 503 with Retry-After instead of hanging on a database that is away.
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    // Both ends give up: the server frees its locks, and the client survives a server that no longer answers.
    statement_timeout: 30_000,
    query_timeout: 35_000,
    // A node that is paused, or its machine, must not hold a project's row for longer: everybody else waits for it.
    idle_in_transaction_session_timeout: 15_000,
    lock_timeout: longestLockWaitMs,
    keepAlive: true,
    // Statements of one flight go out without waiting for the answers to those before.
    pipeline: true,
    // Our statements are short; compiling one takes a hundred times as long as running it.
    onConnect: (client) => client.query('set jit = off'),
  });
  // Without a listener, a connection that breaks while idle would end the process.
  pool.on('error', options.onIdleError);
  // The same for one that breaks while in use: its query fails, and whoever made that query hears of it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

export function openDb(pool: pg.Pool): Db {
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });
  return Object.assign(db, { commits: new EventEmitter() });
}
