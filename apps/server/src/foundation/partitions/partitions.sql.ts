import { type RawBuilder, sql } from 'kysely';
import { liftStatementTimeout } from '../db/database.sql.ts';
import { type Db, type Queries, type Trx, transaction } from '../db/index.ts';
import { takingItsTime } from '../db/prepared-statements.ts';

/** A range of a table that is partitioned by its key. Null means that there is no lower or no upper bound. */
export type Partition = { name: string; from: string | null; to: string | null };

/** Lists the partitions in order, without gaps: the first has no lower bound, and the last no upper bound. */
export async function listPartitions(db: Queries, table: string): Promise<Partition[]> {
  const { rows } = await sql<{ name: string; bounds: string }>`
    select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = ${table}::regclass`.execute(db);
  return rows.map(({ name, bounds }) => ({ name, ...boundsOf(bounds) })).sort(byBeginning);
}

function boundsOf(text: string): Omit<Partition, 'name'> {
  const [, from, to] = /^FOR VALUES FROM \((.+)\) TO \((.+)\)$/.exec(text) ?? [];
  const textOf = (value = '') => (/^'.+'$/.test(value) ? value.slice(1, -1) : null);
  return { from: textOf(from), to: textOf(to) };
}

const byBeginning = (one: Partition, other: Partition) => ((one.from ?? '') < (other.from ?? '') ? -1 : 1);

/**
 * Locks a table exclusively until the end of the transaction. It gives up if it does not get the lock soon, before
 * sessions that wait behind it would begin to check for a deadlock.
 */
export async function lockAlone(trx: Trx, table: string): Promise<void> {
  await sql`set local lock_timeout = '250ms'`.execute(trx);
  await sql`lock table only ${sql.table(table)} in access exclusive mode`.execute(trx);
}

/** Creates a table for a new partition, with the settings of the partition `model`. It does not attach the table. */
export async function createPartition(trx: Trx, table: string, name: string, model: string): Promise<void> {
  const { rows } = await sql<{ settings: string | null; columns: string[]; triggers: string[] }>`
    select array_to_string(reloptions, ', ') as settings,
      array(select quote_ident(attname) from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and attstattarget = 0) as columns,
      -- Triggers for each row come with the table.
      array(select pg_get_triggerdef(oid) from pg_trigger
        where tgrelid = ${model}::regclass and not tgisinternal and tgtype & 1 = 0) as triggers
    from pg_class where oid = ${model}::regclass`.execute(trx);
  const { settings = null, columns = [], triggers = [] } = rows[0] ?? {};
  const options = settings === null ? sql`` : sql`with (${sql.raw(settings)})`;
  await sql`create table ${sql.table(name)} (like ${sql.table(table)} including all) ${options}`.execute(trx);
  for (const column of columns) {
    await sql`alter table ${sql.table(name)} alter column ${sql.raw(column)} set statistics 0`.execute(trx);
  }
  for (const trigger of triggers) {
    await sql.raw(trigger.replace(/ ON \S+ /, ` ON ${name} `)).execute(trx);
  }
}

const bound = (value: string | null, otherwise: 'minvalue' | 'maxvalue') =>
  value === null ? sql.raw(otherwise) : sql.lit(value);

export async function attachPartition(trx: Trx, table: string, { name, from, to }: Partition): Promise<void> {
  await sql`
    alter table ${sql.table(table)} attach partition ${sql.table(name)}
    for values from (${bound(from, 'minvalue')}) to (${bound(to, 'maxvalue')})`.execute(trx);
}

export async function detachPartition(trx: Trx, table: string, name: string): Promise<void> {
  await sql`alter table ${sql.table(table)} detach partition ${sql.table(name)}`.execute(trx);
}

export async function dropPartition(trx: Trx, name: string): Promise<void> {
  await sql`drop table ${sql.table(name)}`.execute(trx);
}

export async function renamePartition(trx: Trx, name: string, to: string): Promise<void> {
  await sql`alter table ${sql.table(name)} rename to ${sql.table(to)}`.execute(trx);
}

/** Moves the rows at or above a bound. Both tables are detached, so no trigger interferes. */
export async function moveRowsFrom(
  trx: Trx,
  { from, to, key, bound }: { from: string; to: string; key: string; bound: string },
): Promise<void> {
  await sql`
    with late as (delete from ${sql.table(from)} where ${sql.ref(key)} >= ${bound} returning *)
    insert into ${sql.table(to)} select * from late`.execute(trx);
}

/** Reads the greatest key of a table, through its index. */
export async function readGreatest(db: Queries, name: string, key: string): Promise<string | null> {
  const { rows } = await sql<{ greatest: string | null }>`
    select max(${sql.ref(key)}) as greatest from ${sql.table(name)}`.execute(db);
  return rows[0]?.greatest ?? null;
}

/**
 * Copies the rows of a partition that have these keys, but at most `max`. Returns the number of rows that were copied.
 */
export async function copyRows(
  trx: Trx,
  { from, to, key, keys, max }: { from: string; to: string; key: string; keys: RawBuilder<unknown>; max: number },
): Promise<number> {
  const result = await sql`
    insert into ${sql.table(to)} select * from ${sql.table(from)}
    where ${sql.ref(key)} = any(array(${keys})) limit ${max}`.execute(trx);
  return Number(result.numAffectedRows ?? 0n);
}

export async function sizeOf(db: Queries, name: string): Promise<number> {
  const { rows } = await sql<{ size: number }>`select pg_relation_size(${name}::regclass) as size`.execute(db);
  return Number(rows[0]?.size ?? 0);
}

const proof = sql.raw('before_the_next');

/** Refuses all new rows at or above a bound. */
export async function refuseFrom(db: Db, name: string, key: string, to: string): Promise<void> {
  await transaction(db, async (trx) => {
    await sql`set local lock_timeout = '250ms'`.execute(trx);
    await sql`alter table ${sql.table(name)} drop constraint if exists ${proof}`.execute(trx);
    await sql`alter table ${sql.table(name)} add constraint ${proof} check (${sql.ref(key)} < ${sql.lit(to)}) not valid`.execute(
      trx,
    );
  });
}

/**
 * Proves that all rows of a partition are below the bound of `refuseFrom`. This reads the whole partition without
 * blocking anyone. Attaching the partition with this bound then needs no second scan.
 */
export async function proveBelow(db: Db, name: string): Promise<void> {
  await transaction(db, async (trx) => {
    await liftStatementTimeout(trx);
    await sql`${takingItsTime} alter table ${sql.table(name)} validate constraint ${proof}`.execute(trx);
  });
}

/** Reads the bound of a proof and whether it is complete. Null if no proof was started. */
export async function readProof(db: Queries, name: string): Promise<{ valid: boolean; below: string } | null> {
  const { rows } = await sql<{ valid: boolean; definition: string }>`
    select convalidated as valid, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = ${name}::regclass and conname = ${sql.lit('before_the_next')}`.execute(db);
  const [row] = rows;
  return row ? { valid: row.valid, below: /'(.+)'/.exec(row.definition)?.[1] ?? '' } : null;
}

export async function forgetProof(db: Queries, name: string): Promise<void> {
  await sql`alter table ${sql.table(name)} drop constraint if exists ${proof}`.execute(db);
}

/**
 * Analyses a whole table. Autovacuum analyses only partitions, so it does not know how many distinct values the whole
 * table has.
 */
export async function analyseWhole(db: Db, table: string, { always }: { always: boolean }): Promise<void> {
  const { rows } = await sql<{ grown: boolean }>`
    select greatest(whole.reltuples, 0) < 0.67 * (
      select sum(greatest(c.reltuples, 0)) from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = whole.oid
    ) as grown from pg_class whole where whole.oid = ${table}::regclass`.execute(db);
  if (!always && !rows[0]?.grown) return;
  await transaction(db, async (trx) => {
    await liftStatementTimeout(trx);
    await sql`${takingItsTime} analyze ${sql.table(table)}`.execute(trx);
  });
}
