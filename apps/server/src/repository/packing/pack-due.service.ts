import { eachAlone } from '../../foundation/concurrency/each-alone.ts';
import { type Db, transaction } from '../../foundation/db/index.ts';
import { fewestObjects, listUnpacked, packSoon } from '../store/index.ts';

/** With this many new objects, a project is packed even while it is written to. */
const manyObjects = 20_000;
/** A little more than the time between two looks. */
const recentMs = 15 * 60_000;

/**
 * Packs projects in which something has happened lately. Every hour, all are looked at. So a project is also found if no
 * worker ran in the meantime.
 */
export async function packDue(db: Db, { all }: { all: boolean }): Promise<void> {
  const since = all ? null : new Date(Date.now() - recentMs);
  const due = await listUnpacked(db, { fewest: fewestObjects, many: manyObjects, since });
  await eachAlone(due, (projectId) => transaction(db, (trx) => packSoon(trx, projectId)));
}
