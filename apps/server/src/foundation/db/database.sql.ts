import { sql } from 'kysely';
import { listenerName } from './listener.ts';
import type { Queries, Trx } from './transaction.ts';

/** This file contains statements about the database itself and not about the tables of a slice. */

export async function pingDatabase(db: Queries): Promise<void> {
  await sql`select`.execute(db);
}

/** True for a standby, and for a server that somebody has set to read-only. */
export async function isReadOnly(db: Queries): Promise<boolean> {
  const { rows } = await sql<{ read_only: string }>`
    select current_setting('transaction_read_only') as read_only`.execute(db);
  return rows[0]?.read_only === 'on';
}

type Server = { number: number; version: string; applied: string[] };

/** Facts about the server. The list of migrations is empty if Bottega has never been started on this database. */
export async function readServer(db: Queries): Promise<Server> {
  const { rows } = await sql<{ number: number; version: string; known: boolean }>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
      to_regclass('public.migrations') is not null as known`.execute(db);
  const [server] = rows;
  if (!server?.known) return { number: server?.number ?? 0, version: server?.version ?? '', applied: [] };
  const applied = await sql<{ name: string }>`select name from migrations order by name`.execute(db);
  return { number: server.number, version: server.version, applied: applied.rows.map(({ name }) => name) };
}

/** Returns the server's time in milliseconds, like `Date.now()`. */
export async function readClock(db: Queries): Promise<number> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]?.now.getTime() ?? 0;
}

/**
 * Counts the running nodes. Each has one connection that listens for notifications, so these connections are counted.
 */
export async function countListeningNodes(db: Queries): Promise<number> {
  const { rows } = await sql<{ nodes: number }>`
    select count(*) as nodes from pg_stat_activity
    where datname = current_database() and application_name = ${listenerName}`.execute(db);
  return rows[0]?.nodes ?? 0;
}

/** Removes the time limit of statements, for a transaction over many rows that may take longer than a request may. */
export async function liftStatementTimeout(trx: Trx): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(trx);
}

/** Locks a table. Both modes block all writers until the transaction ends. `exclusive` also blocks row locks. */
export async function lockTable(
  trx: Trx,
  table: string,
  mode: 'exclusive' | 'share row exclusive',
  { waitSeconds }: { waitSeconds?: number } = {},
): Promise<void> {
  if (waitSeconds !== undefined) await sql`set local lock_timeout = ${sql.lit(waitSeconds * 1000)}`.execute(trx);
  await sql`lock table ${sql.table(table)} in ${sql.raw(mode)} mode`.execute(trx);
}
