import pg from 'pg';
import { relationsOf } from '../foundation/db/migrated-relations.ts';
import { jobsInBackup } from '../foundation/jobs/jobs.sql.ts';

/** What a backup holds: every table but those about processes that run, and the jobs that wait. */

export type Table = { name: string; columns: string[] };

/**
 * Each of their rows is about a process, and ends with it; or about an object in a bucket, which a restored database does not
 * know. `migrations` is in the manifest.
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
 * What would mean nothing in another database. The relay's position is a snapshot of transactions, which each server counts
 * for itself: events that it had handled get a number before the position, and those that it had not, one after it. A
 * delivery or a build that was under way is nobody's.
 */
const inOtherWords: Record<string, Record<string, string>> = {
  events: {
    // By way of JSON, since a database of a former version has no such columns.
    xid: `case when (
        select pg_visible_in_snapshot(xid, snapshot)
          or coalesce(xid::text = r.row->>'cut_xid' and seq <= (r.row->>'cut_seq')::bigint, false)
        from (select snapshot, to_jsonb(webhook_relay) as row from webhook_relay) as r
      ) then '3'::xid8 else '4'::xid8 end`,
  },
  webhook_relay: { snapshot: "'4:4:'::pg_snapshot", cut_xid: 'null::xid8', cut_seq: 'null::bigint' },
  webhook_deliveries: { holder: 'null::bigint' },
};

/** Of pieces that are in a bucket a backup holds what they are, as of all others: `dump-objects.service.ts` adds them. */
export const piecesTable: Table = { name: 'artifact_chunks', columns: ['project_id', 'digest', 'content'] };
const onlySome: Record<string, string> = { [piecesTable.name]: 'where content is not null' };

const quoted = (names: readonly string[]): string => names.map((name) => pg.escapeIdentifier(name)).join(', ');

/**
 * The tables that these migrations made, in an order that stays. Tables that somebody else made in the database are not
 * listed. Generated columns are not copied, since PostgreSQL computes them again.
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

/** In PostgreSQL's binary form, which is the same for all versions that we know and half as long as text. */
export function copyOut({ name, columns }: Table): string {
  const values = columns.map((column) => inOtherWords[name]?.[column] ?? pg.escapeIdentifier(column));
  const some = onlySome[name] ?? '';
  return `copy (select ${values.join(', ')} from ${pg.escapeIdentifier(name)} ${some}) to stdout (format binary)`;
}

export const copyIn = ({ name, columns }: Table): string =>
  `copy ${pg.escapeIdentifier(name)} (${quoted(columns)}) from stdin (format binary)`;

export const jobsTable: Table = { name: 'waiting jobs', columns: jobsInBackup.columns };
export const copyJobsOut = `copy (${jobsInBackup.query}) to stdout (format binary)`;
