import type { Db } from '../db/index.ts';
import { timeOfId } from '../ids.ts';
import { dropExpired } from './drop-expired.ts';
import { openNext } from './open-next.ts';
import { analyseWhole, listPartitions } from './partitions.sql.ts';
import { type TimedTable, widthOf } from './timed-table.ts';

const dayMs = 86_400_000;

/**
 * For the cleaning. Creates upcoming partitions, and drops those that are older than the given number of days. Returns
 * the time since which all rows are kept. Older rows are in the first partition, and the caller may delete them one by
 * one.
 */
export async function keepPartitions(
  db: Db,
  table: TimedTable,
  { days, now = Date.now(), until = now - days * dayMs }: { days: number; now?: number; until?: number },
): Promise<Date> {
  const isOpened = await openNext(db, table, { now, width: widthOf(days) });
  const isDropped = await dropExpired(db, table, until);
  await analyseWhole(db, table.name, { always: isOpened || isDropped });
  const [first] = await listPartitions(db, table.name);
  return new Date(first?.to ? Math.min(until, timeOfId(first.to)) : until);
}
