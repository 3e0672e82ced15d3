import { type Db, inBatches } from '../../foundation/db/index.ts';
import { keepPartitions } from '../../foundation/partitions/index.ts';
import {
  deleteOldDeliveries,
  deleteOldFigures,
  deleteOrphanedDeliveries,
  deleteSetAside,
  deleteUnusedPayloads,
  deleteWebhooksOfGoneProjects,
  timedAttempts,
  timedDeliveries,
} from './cleaning.sql.ts';

const hour = 3_600_000;

/**
 * Deletes deliveries older than the given days, with their attempts, and leftovers of deleted webhooks. Pending
 * deliveries stay.
 */
export async function cleanDeliveries(db: Db, days: number, now = Date.now()): Promise<void> {
  const kept = (await keepPartitions(db, timedDeliveries, { days, now })).getTime();
  await keepPartitions(db, timedAttempts, { days, now, until: kept });
  // Rounded to a full hour, like the figures, so that figures and deliveries cover the same time.
  const until = new Date(Math.floor(kept / hour) * hour);
  await inBatches((rows) => deleteOldDeliveries(db, until, rows));
  await inBatches((rows) => deleteOrphanedDeliveries(db, rows));
  await inBatches((rows) => deleteUnusedPayloads(db, until, rows));
  await deleteOldFigures(db, until);
  await deleteSetAside(db, until);
  await deleteWebhooksOfGoneProjects(db);
}
