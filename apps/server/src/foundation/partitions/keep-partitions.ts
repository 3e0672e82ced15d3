import type { Db } from '../db/index.ts';
import { timeOfId } from '../ids.ts';
import { dropOver } from './drop-over.ts';
import { openNext } from './open-next.ts';
import { analyseWhole, listPartitions } from './partitions.sql.ts';
import { type TimedTable, widthOf } from './timed-table.ts';

const dayMs = 86_400_000;

/**
 * For the cleaning: makes the partitions that are to come, and drops those that are older than so many days. Answers from when on
 * everything is kept; what is older may be deleted by the row, and is in the first partition.
 */
export async function keepPartitions(
  db: Db,
  table: TimedTable,
  { days, now = Date.now(), until = now - days * dayMs }: { days: number; now?: number; until?: number },
): Promise<Date> {
  const isOpened = await openNext(db, table, { now, width: widthOf(days) });
  const isDropped = await dropOver(db, table, until);
  await analyseWhole(db, table.name, { always: isOpened || isDropped });
  const [first] = await listPartitions(db, table.name);
  return new Date(first?.to ? Math.min(until, timeOfId(first.to)) : until);
}
