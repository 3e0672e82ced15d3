import pg from 'pg';
import { type CopyStreamQuery, from } from 'pg-copy-streams';
import { jobsInBackup } from '../foundation/jobs/jobs.sql.ts';
import type { Table } from './tables.sql.ts';

export type ForeignKey = { table: string; name: string; definition: string };

const id = pg.escapeIdentifier;

/**
 * Describes the database. Null if it has no tables of Bottega. Many programs have a table `migrations`, so it counts
 * only if it also has our columns.
 */
export async function readTarget(client: pg.ClientBase): Promise<{ accounts: number; migrations: string[] } | null> {
  const { rows: known } = await client.query(
    `select to_regclass('public.users') as users, array(
       select attname::text from pg_attribute
       where attrelid = to_regclass('public.migrations') and attnum > 0 and not attisdropped order by attnum) as columns`,
  );
  if (known[0].columns.join() !== 'name,applied_at') return null;
  const { rows: names } = await client.query<{ name: string }>('select name from migrations order by name');
  const { rows } =
    known[0].users === null ? { rows: [{ count: 0 }] } : await client.query('select count(*) from users');
  return { accounts: Number(rows[0].count), migrations: names.map(({ name }) => name) };
}

export async function beginLoad(client: pg.ClientBase): Promise<void> {
  await client.query('begin');
  await client.query('set local statement_timeout = 0');
  await client.query('set local idle_in_transaction_session_timeout = 0');
}

/**
 * Drops foreign keys, because tables can come in any order. They are added again at the end, which checks every row.
 */
export async function dropForeignKeys(client: pg.ClientBase, tables: Table[]): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select k.conrelid::regclass::text as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.conparentid = 0 and c.relname = any($1)
     order by 1, 2`,
    [tables.map(({ name }) => name)],
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${id(name)}`);
  return rows;
}

export async function addForeignKeys(client: pg.ClientBase, keys: ForeignKey[]): Promise<void> {
  for (const { table, name, definition } of keys) {
    await client.query(`alter table ${table} add constraint ${id(name)} ${definition}`);
  }
}

/** Disables or enables triggers. They already ran when the rows were first written. */
export async function setTriggers(client: pg.ClientBase, tables: Table[], state: 'disable' | 'enable'): Promise<void> {
  for (const { name } of tables) await client.query(`alter table ${id(name)} ${state} trigger user`);
}

export async function emptyTables(client: pg.ClientBase, tables: Table[]): Promise<void> {
  for (const { name } of tables) await client.query(`delete from ${id(name)}`);
}

export async function setSequence(client: pg.ClientBase, name: string, value: number): Promise<void> {
  await client.query('select setval($1::regclass, $2)', [`public.${id(name)}`, value]);
}

const jobs = 'restored_jobs';
export const copyJobsIn = `copy ${jobs} from stdin (format binary)`;

export const streamIn = (client: pg.ClientBase, statement: string): CopyStreamQuery => client.query(from(statement));

export async function createJobsTable(client: pg.ClientBase): Promise<void> {
  await client.query(`create temporary table ${jobs} (${jobsInBackup.types}) on commit drop`);
}

export async function addJobs(client: pg.ClientBase): Promise<void> {
  await client.query(`select ${jobsInBackup.add} from ${jobs}`);
}

export async function commitLoad(client: pg.ClientBase): Promise<void> {
  await client.query('commit');
}

/** Collects statistics. Without them, the first requests would scan whole tables. */
export async function refreshStatistics(client: pg.ClientBase): Promise<void> {
  await client.query('analyze');
}

export async function abandonLoad(client: pg.ClientBase): Promise<void> {
  await client.query('rollback');
}
