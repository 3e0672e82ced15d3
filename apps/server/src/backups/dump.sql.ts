import type pg from 'pg';
import { type CopyToStreamQuery, to } from 'pg-copy-streams';
import { relationsOf } from '../foundation/db/migrated-relations.ts';

/**
 * Takes a snapshot of all tables, which stays valid however long reading takes. The snapshot blocks only migrations,
 * and the cleaning at the point where it drops partitions. Partitioned tables are locked before the snapshot is taken.
 * Otherwise, a partition that is dropped in between would be missing, and the rows kept from it would be too new for
 * the snapshot.
 */
export async function beginSnapshot(client: pg.ClientBase): Promise<void> {
  const { rows: partitioned } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relkind = 'p' and relnamespace = 'public'::regnamespace and relname = any($1)`,
    [relationsOf()],
  );
  await client.query('begin transaction isolation level repeatable read read only');
  for (const { name } of partitioned) await client.query(`lock table ${name} in access share mode`);
  await client.query('set local statement_timeout = 0');
  await client.query('set local idle_in_transaction_session_timeout = 0');
}

type Facts = { migrations: string[]; postgres: number; check: Buffer | null };

export async function readFacts(client: pg.ClientBase): Promise<Facts> {
  const { rows } = await client.query<Facts>(
    `select array(select name from migrations order by name) as migrations,
       current_setting('server_version_num')::int as postgres, (select secret_key_check from installation) as check`,
  );
  if (!rows[0]) throw new Error('the database returned no description of itself');
  return rows[0];
}

export async function readSequences(client: pg.ClientBase): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; value: number | string }>(
    `select s.sequencename as name, s.last_value as value from pg_sequences s
     where s.schemaname = 'public' and s.last_value is not null and (s.sequencename = any($1) or exists (
       select from pg_depend d join pg_class c on c.oid = d.refobjid
       where d.classid = 'pg_class'::regclass and d.objid = format('public.%I', s.sequencename)::regclass
         and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i') and c.relname = any($1)))`,
    [relationsOf()],
  );
  // The values are converted here, because how bigint values are parsed depends on a setting of the process.
  return Object.fromEntries(rows.map(({ name, value }) => [name, Number(value)]));
}

/** Runs an empty statement. Its answer arrives after all messages about the previous statement. */
export async function settle(client: pg.ClientBase): Promise<void> {
  await client.query('select');
}

export const streamOut = (client: pg.ClientBase, statement: string): CopyToStreamQuery => client.query(to(statement));
