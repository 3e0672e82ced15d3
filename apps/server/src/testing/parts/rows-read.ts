import { sql } from 'kysely';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';

/**
 * The number of rows of a table that the statements of the work read, whatever their plan. Measuring time would give
 * only a hint.
 */
export function rowsRead(db: Db, table: string, work: (trx: Trx) => Promise<unknown>): Promise<number> {
  return transaction(db, async (trx) => {
    const before = await readSoFar(trx, table);
    await work(trx);
    return (await readSoFar(trx, table)) - before;
  });
}

/** Counts the rows in this transaction. */
export async function readSoFar(trx: Trx, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count from pg_stat_xact_user_tables
    where relid in (select relid from pg_partition_tree(${table}) union select ${table}::regclass)`.execute(trx);
  return rows[0]?.count ?? 0;
}
