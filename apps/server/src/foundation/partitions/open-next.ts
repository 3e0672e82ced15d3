import { type Db, transaction } from '../db/index.ts';
import { firstIdAt, timeOfId } from '../ids.ts';
import * as rows from './partitions.sql.ts';
import { borderAfter, nameOf, type TimedTable } from './timed-table.ts';
import { whenFree } from './when-free.ts';

type Times = { now: number; width: number };

/**
 * How long before the last partition begins the next one is created. The last partition gets its end at the same time.
 * This is quick, because it is still empty.
 */
const aheadMs = 86_400_000;
/**
 * To set the end of a partition, all of it is read. If it is larger than this, that happens before the lock is taken,
 * so that others do not wait for it.
 */
const smallBytes = 32 * 1024 * 1024;
/**
 * How far in the future the end of such a partition is at least. Keys beyond the end are refused while the partition is
 * read, and reading takes less time than this.
 */
const proofMs = 7 * 86_400_000;

/**
 * The last partition has no end, so that there is a partition for every row even if this code does not run for a long
 * time. If the partition has begun or is about to, it gets an end, and a new partition is created after it. Returns
 * whether anything has changed.
 */
export async function openNext(db: Db, table: TimedTable, times: Times): Promise<boolean> {
  for (let opened = 0; ; opened++) {
    const last = (await rows.listPartitions(db, table.name)).at(-1);
    if (!last) throw new Error(`${table.name} has no partitions`);
    const begins = last.from === null ? 0 : timeOfId(last.from);
    if (begins > times.now + aheadMs) return opened > 0;
    const to = await endFor(db, table, last, { ...times, now: Math.max(times.now, begins) });
    if (to === null || !(await whenFree(() => closeAndOpen(db, table, last, to)))) return opened > 0;
  }
}

/** Returns the end for the last partition, or null if an end cannot be set now. */
async function endFor(db: Db, table: TimedTable, { name }: rows.Partition, { now, width }: Times) {
  const idAfter = (time: number) => firstIdAt(table.prefix, new Date(borderAfter(time, width)));
  if ((await rows.sizeOf(db, name)) <= smallBytes) return idAfter(now);
  const begun = await rows.readProof(db, name);
  if (begun?.valid && timeOfId(begun.below) > now + aheadMs) return begun.below;
  const greatest = await rows.readGreatest(db, name, table.key);
  const to = idAfter(Math.max(now, timeOfId(greatest ?? '')) + proofMs);
  const isRefusing = await whenFree(async () => {
    await rows.refuseFrom(db, name, table.key, to);
    return true;
  });
  if (!isRefusing) return null;
  try {
    await rows.proveBelow(db, name);
  } catch (error) {
    await rows.forgetProof(db, name);
    throw error;
  }
  return to;
}

/**
 * Sets the end of the last partition and creates the next one, in one short transaction. The rows are read here only if
 * the partition is small.
 */
function closeAndOpen(db: Db, table: TimedTable, last: rows.Partition, to: string): Promise<boolean> {
  return transaction(db, async (trx) => {
    await rows.lockAlone(trx, table.name);
    const present = (await rows.listPartitions(trx, table.name)).at(-1);
    if (present?.name !== last.name || present.from !== last.from) return false;
    const next = { name: nameOf(table.name, timeOfId(to)), from: to, to: null };
    await rows.createPartition(trx, table.name, next.name, last.name);
    await rows.detachPartition(trx, table.name, last.name);
    // A node whose clock is ahead may already have inserted rows that belong to the next partition.
    await rows.moveRowsFrom(trx, { from: last.name, to: next.name, key: table.key, bound: to });
    await rows.attachPartition(trx, table.name, { ...last, to });
    await rows.attachPartition(trx, table.name, next);
    await rows.forgetProof(trx, last.name);
    return true;
  });
}
