import { eachAlone } from '../../foundation/concurrency/each-alone.ts';
import { type Db, transaction } from '../../foundation/db/index.ts';
import { fewestObjects, listUnpacked, packSoon } from '../store/index.ts';

/** With this many new objects, a project is packed even while it is written to. */
const manyObjects = 20_000;
/** A little more than the time between two runs. */
const recentMs = 15 * 60_000;

/**
 * Schedules the packing of projects that were active lately. Every hour, it runs for all projects, to find those that
 * were missed because no worker ran.
 */
export async function packDue(db: Db, { all }: { all: boolean }): Promise<void> {
  const since = all ? null : new Date(Date.now() - recentMs);
  const due = await listUnpacked(db, { fewest: fewestObjects, many: manyObjects, since });
  await eachAlone(due, (projectId) => transaction(db, (trx) => packSoon(trx, projectId)));
}
