import pg from 'pg';
import { relationsOf } from '../foundation/db/migrated-relations.ts';
import { jobsInBackup } from '../foundation/jobs/jobs.sql.ts';

/** The tables of a backup: all tables except those about running processes, and the waiting jobs. */

export type Table = { name: string; columns: string[] };

/**
 * Tables that a backup does not contain. Their rows are about a process and end with it, or about an object in a
 * bucket, which a restored database does not have. `migrations` is in the manifest.
 */
const leftOut = [
  'app_instances',
  'job_workers',
  'live_nodes',
  'live_owners',
  'live_sockets',
  'migrations',
  'unneeded_objects',
  'webhook_workers',
];

/**
 * Replacements for values that would be meaningless in another database. The relay's position is a transaction
 * snapshot, which differs from server to server. So handled events get a transaction number before the position, and
 * all others a number after it. A delivery or a build that was in progress belongs to no process after a restore.
 */
const columnReplacements: Record<string, Record<string, string>> = {
  events: {
    // Reads the row as JSON, because a database of an earlier version lacks these columns.
    xid: `case when (
        select pg_visible_in_snapshot(xid, snapshot)
          or coalesce(xid::text = r.row->>'cut_xid' and seq <= (r.row->>'cut_seq')::bigint, false)
        from (select snapshot, to_jsonb(webhook_relay) as row from webhook_relay) as r
      ) then '3'::xid8 else '4'::xid8 end`,
  },
  webhook_relay: { snapshot: "'4:4:'::pg_snapshot", cut_xid: 'null::xid8', cut_seq: 'null::bigint' },
  webhook_deliveries: { holder: 'null::bigint' },
};

/**
 * The table of pieces of artifacts. Only the pieces in the database are read from it. Those in a bucket are part of the
 * backup too: `dump-objects.service.ts` adds them.
 */
export const piecesTable: Table = { name: 'artifact_chunks', columns: ['project_id', 'digest', 'content'] };
const onlySome: Record<string, string> = { [piecesTable.name]: 'where content is not null' };

const quoted = (names: readonly string[]): string => names.map((name) => pg.escapeIdentifier(name)).join(', ');

/**
 * The tables that these migrations created, in a stable order. Tables of other programs are not listed. Generated
 * columns are not copied, because PostgreSQL computes them again.
 */
export async function listTables(client: pg.ClientBase, migrations: readonly string[]): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       and c.relname = any($1) and c.relname <> all($2)
     group by c.relname order by c.relname`,
    [relationsOf(migrations), leftOut],
  );
  return rows;
}

/**
 * The statement that reads a table, in PostgreSQL's binary format. The format is the same for all supported versions
 * and half as long as text.
 */
export function copyOut({ name, columns }: Table): string {
  const values = columns.map((column) => columnReplacements[name]?.[column] ?? pg.escapeIdentifier(column));
  const some = onlySome[name] ?? '';
  return `copy (select ${values.join(', ')} from ${pg.escapeIdentifier(name)} ${some}) to stdout (format binary)`;
}

export const copyIn = ({ name, columns }: Table): string =>
  `copy ${pg.escapeIdentifier(name)} (${quoted(columns)}) from stdin (format binary)`;

export const jobsTable: Table = { name: 'waiting jobs', columns: jobsInBackup.columns };
export const copyJobsOut = `copy (${jobsInBackup.query}) to stdout (format binary)`;
