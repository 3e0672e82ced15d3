import { EventEmitter } from 'node:events';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type Pool, preparing } from './prepared-statements.ts';
import type { Database } from './schema.ts';

export type Db = Kysely<Database> & {
  /** Announces what was committed through this object, and nothing that was committed in another way. */
  readonly commits: EventEmitter;
};
export type ConnectionOptions = Pick<pg.PoolConfig, 'connectionString' | 'host' | 'port' | 'user' | 'database'>;

// Counters and byte totals are bigint. All of ours stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Limits that the server enforces in each session. */
const limits = {
  statement_timeout: 30_000,
  // A paused node or machine must not hold a project's row for longer, since all others wait for it.
  idle_in_transaction_session_timeout: 15_000,
  // Longest wait for a lock. Meanwhile, the waiting request occupies a connection.
  lock_timeout: 10_000,
};

/**
 * Behind a pooler, clients share sessions, so no setting may stay in a session. Therefore, the settings are sent in
 * every transaction.
 */
const forEachTransaction = Object.entries({ ...limits, jit: 'off' })
  .map(([name, value]) => `set local ${name} = ${value}`)
  .join('; ');

type PoolOptions = {
  max: number;
  onIdleError: (error: Error) => void;
  /** Whether the connections lead to a pooler, so that other clients use the same sessions in between. */
  isShared?: boolean;
};

export function openPool(connection: ConnectionOptions, { max, onIdleError, isShared = false }: PoolOptions): Pool {
  const pool = new pg.Pool({
    ...connection,
    max,
    application_name: 'bottega',
    // After this time, the caller gets a 503 with Retry-After and does not wait for an unavailable database.
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    // Both ends have a limit. So the server frees its locks, and the client does not wait forever for a server that no
    // longer responds.
    query_timeout: 35_000,
    keepAlive: true,
    // Statements of one batch are sent without waiting for the answers to earlier ones.
    pipeline: true,
    // Our statements are short. Compiling a statement (JIT) would take a hundred times as long as running it.
    ...(!isShared && { ...limits, onConnect: (client: pg.ClientBase) => client.query('set jit = off') }),
  });
  // Without a listener, an idle connection that breaks would end the process.
  pool.on('error', onIdleError);
  // A connection that breaks while it is in use would end the process too. Its query fails anyway, and the caller of
  // that query gets the error.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return Object.assign(pool, isShared && { forEachTransaction });
}

export function openDb(pool: Pool): Db {
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });
  return Object.assign(db, { commits: new EventEmitter() });
}
