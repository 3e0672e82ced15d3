import { type Db, type Trx, transaction } from '../db/index.ts';
import { firstIdAt, timeOfId } from '../ids.ts';
import * as rows from './partitions.sql.ts';
import { firstNameOf, type TimedTable } from './timed-table.ts';
import { whenFree } from './when-free.ts';

/**
 * Maximum number of rows that are copied. The table is locked during the copy, so everything else that uses it waits.
 * If more rows must stay, the partitions are not dropped.
 */
const maxKeptRows = 20_000;

class TooManyStay extends Error {}

/**
 * Drops expired partitions. Rows that must stay are copied to a new first partition, which covers everything before the
 * oldest remaining partition. If only the first partition is expired, it is left to the row-by-row cleaning, which
 * finds little in it. Returns whether anything has changed.
 */
export async function dropExpired(db: Db, table: TimedTable, until: number): Promise<boolean> {
  const end = firstIdAt(table.prefix, new Date(until));
  const isExpired = ({ to }: rows.Partition) => to !== null && to <= end;
  const expired = (await rows.listPartitions(db, table.name)).filter(isExpired);
  if (expired.length < 2) return false;
  const dropping = () =>
    transaction(db, async (trx) => {
      await rows.lockAlone(trx, table.name);
      const present = (await rows.listPartitions(trx, table.name)).filter(isExpired);
      if (present.length !== expired.length) return false;
      await replace(trx, table, present);
      return true;
    });
  return whenFree(dropping).catch((error: unknown) => {
    if (error instanceof TooManyStay) return false;
    throw error;
  });
}

async function replace(trx: Trx, table: TimedTable, expired: rows.Partition[]): Promise<void> {
  const [first, last] = [expired[0], expired.at(-1)];
  if (!first || !last?.to) throw new Error('there is nothing to be dropped');
  const next = { name: `${table.name}_next`, from: null, to: last.to };
  await table.dropping?.(trx, last.to, new Date(timeOfId(last.to)));
  await rows.createPartition(trx, table.name, next.name, first.name);
  const keys = table.staying?.(last.to);
  let room = maxKeptRows;
  for (const { name } of keys ? expired : []) {
    if (keys) room -= await rows.copyRows(trx, { from: name, to: next.name, key: table.key, keys, max: room + 1 });
    if (room < 0) throw new TooManyStay();
  }
  for (const { name } of expired) await rows.detachPartition(trx, table.name, name);
  await rows.attachPartition(trx, table.name, next);
  for (const { name } of expired) await rows.dropPartition(trx, name);
  await rows.renamePartition(trx, next.name, firstNameOf(table.name));
}
