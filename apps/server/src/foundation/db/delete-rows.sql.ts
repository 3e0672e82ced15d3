import { type RawBuilder, sql } from 'kysely';
import { inBatches } from './batches.ts';
import type { Db } from './pool.ts';
import { type Trx, transaction } from './transaction.ts';

/** Selects the rows of a table to delete. The condition refers to the table as `gone`. */
export type Doomed = {
  table: string;
  /**
   * An indexed column. Each batch starts at the value where the previous one ended, so that it need not skip over the
   * deleted rows that are not vacuumed yet.
   */
  by: string;
  where: RawBuilder<unknown>;
  /** Runs first in the transaction of each batch. */
  prepare?(trx: Trx): Promise<unknown>;
};

/** Longest time for one table in one run of the cleaning, which runs every hour. */
const longestCleaningMs = 5 * 60_000;

/** For the hourly cleaning. If the time is not enough for all rows, the next run deletes the rest. */
export const cleanRows = (db: Db, doomed: Doomed): Promise<void> =>
  deleteInBatches(db, doomed, { longestMs: longestCleaningMs });

/** Deletes all of the selected rows, however long this takes. */
export const deleteRows = (db: Db, doomed: Doomed): Promise<void> => deleteInBatches(db, doomed, {});

async function deleteInBatches(
  db: Db,
  { table, by, where, prepare }: Doomed,
  limits: { longestMs?: number },
): Promise<void> {
  const column = sql.ref(`gone.${by}`);
  let reached: unknown = null;
  await inBatches(async (rows) => {
    const goOn = reached === null ? sql`true` : sql`${column} >= ${reached}`;
    const { deleted, last } = await transaction(db, async (trx) => {
      await prepare?.(trx);
      // The condition is checked again for each row, because the row may have changed since it was selected.
      const result = await sql<{ deleted: number; last: unknown }>`
        with dead as (
          delete from ${sql.table(table)} as gone where gone.ctid = any(array(
            select gone.ctid from ${sql.table(table)} as gone where ${where} and ${goOn} order by ${column} limit ${rows}
          )) and ${where} returning ${column} as reached
        )
        select count(*)::int as deleted, (select reached from dead order by reached desc limit 1) as last
        from dead`.execute(trx);
      return result.rows[0] ?? { deleted: 0, last: null };
    });
    reached = last;
    return deleted;
  }, limits);
}
