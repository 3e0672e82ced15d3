import type pg from 'pg';
import { relationsOf } from '../foundation/db/migrated-relations.ts';

type Found = { kind: string; name: string };

/**
 * Objects in the database that neither these migrations, nor PostgreSQL, nor an extension created. A column's sequence
 * and a partition belong to their table and are not listed separately. If none of our migrations ran, the schema of the
 * job queue also counts as that of another program.
 */
export async function findStrangers(client: pg.ClientBase, migrations: readonly string[] | null): Promise<Found[]> {
  const schemas = migrations === null ? [] : ['graphile_worker'];
  const { rows } = await client.query<Found>(
    `with schemas as (
       select oid, nspname as name from pg_namespace
       where nspname !~ '^pg_' and nspname <> 'information_schema' and nspname <> all($1))
     select 'schema' as kind, format('%I', s.name) as name from schemas s
     where s.name <> 'public' and not exists (select from pg_extension where extnamespace = s.oid)
       and not exists (select from pg_depend
         where classid = 'pg_namespace'::regclass and objid = s.oid and deptype = 'e')
     union all
     select case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table'
         when 'S' then 'sequence' when 'c' then 'type' else 'table' end,
       format('%I.%I', s.name, c.relname)
     from pg_class c join schemas s on s.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S', 'c') and not c.relispartition
       and not (s.name = 'public' and c.relname = any($2))
       and not exists (select from pg_depend
         where classid = 'pg_class'::regclass and objid = c.oid
           and (deptype = 'e' or c.relkind = 'S' and deptype in ('a', 'i') and refclassid = 'pg_class'::regclass))
     order by 1, 2`,
    [schemas, migrations === null ? [] : relationsOf(migrations)],
  );
  return rows;
}
