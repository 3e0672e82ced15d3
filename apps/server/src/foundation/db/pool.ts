import { EventEmitter } from 'node:events';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type Pool, preparing } from './prepared-statements.ts';
import type { Database } from './schema.ts';

export type Db = Kysely<Database> & {
  /** Who wants to know of what was committed through this object, and only through it, is told here. */
  readonly commits: EventEmitter;
};
export type ConnectionOptions = Pick<pg.PoolConfig, 'connectionString' | 'host' | 'port' | 'user' | 'database'>;

// Counters and byte totals are bigint; all of ours stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** What the server holds a session to. */
const limits = {
  statement_timeout: 30_000,
  // A node that is paused, or its machine, must not hold a project's row for longer: everybody else waits for it.
  idle_in_transaction_session_timeout: 15_000,
  // For a lock that somebody else holds. Whoever waits for one keeps a connection meanwhile.
  lock_timeout: 10_000,
};

/** A session is whoever's turn it is: nothing may be left in it, and what is to hold is said in every transaction. */
const forEachTransaction = Object.entries({ ...limits, jit: 'off' })
  .map(([name, value]) => `set local ${name} = ${value}`)
  .join('; ');

type PoolOptions = {
  max: number;
  onIdleError: (error: Error) => void;
  /** Whether the connections lead to a pooler, which has others use the same sessions in between. */
  isShared?: boolean;
};

export function openPool(connection: ConnectionOptions, { max, onIdleError, isShared = false }: PoolOptions): Pool {
  const pool = new pg.Pool({
    ...connection,
    max,
    application_name: 'bottega',
    // Beyond this the caller gets a 503 with Retry-After instead of hanging on a database that is away.
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    // Both ends give up: the server frees its locks, and the client survives a server that no longer answers.
    query_timeout: 35_000,
    keepAlive: true,
    // Statements of one flight go out without waiting for the answers to those before.
    pipeline: true,
    // Our statements are short; compiling one takes a hundred times as long as running it.
    ...(!isShared && { ...limits, onConnect: (client: pg.ClientBase) => client.query('set jit = off') }),
  });
  // Without a listener, a connection that breaks while idle would end the process.
  pool.on('error', onIdleError);
  // The same for one that breaks while in use: its query fails, and whoever made that query hears of it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return Object.assign(pool, isShared && { forEachTransaction });
}

export function openDb(pool: Pool): Db {
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });
  return Object.assign(db, { commits: new EventEmitter() });
}
