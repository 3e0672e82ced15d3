import { type Db, transaction } from '../db/index.ts';
import { firstIdAt, timeOfId } from '../ids.ts';
import * as rows from './partitions.sql.ts';
import { borderAfter, nameOf, type TimedTable } from './timed-table.ts';
import { whenFree } from './when-free.ts';

type Times = { now: number; width: number };

/**
 * How long before the start of the last partition the next one is created. So the last one gets its end while it is
 * empty.
 */
const aheadMs = 86_400_000;
/** A partition larger than this is read before the lock is taken, so that others do not wait for it. */
const smallBytes = 32 * 1024 * 1024;
/**
 * How far ahead the end of such a partition is. Reading takes less time, and keys beyond the end are refused meanwhile.
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

/** The end for a partition. Null if it cannot be set now. */
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
 * Sets the end and creates the next partition, in one short transaction. It reads only the rows of a small partition.
 */
function closeAndOpen(db: Db, table: TimedTable, last: rows.Partition, to: string): Promise<boolean> {
  return transaction(db, async (trx) => {
    await rows.lockAlone(trx, table.name);
    const present = (await rows.listPartitions(trx, table.name)).at(-1);
    if (present?.name !== last.name || present.from !== last.from) return false;
    const next = { name: nameOf(table.name, timeOfId(to)), from: to, to: null };
    await rows.createPartition(trx, table.name, next.name, last.name);
    await rows.detachPartition(trx, table.name, last.name);
    // Rows from a node whose clock is ahead.
    await rows.moveRowsFrom(trx, { from: last.name, to: next.name, key: table.key, bound: to });
    await rows.attachPartition(trx, table.name, { ...last, to });
    await rows.attachPartition(trx, table.name, next);
    await rows.forgetProof(trx, last.name);
    return true;
  });
}
