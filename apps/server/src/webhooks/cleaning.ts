import { type Db, inBatches } from '../foundation/db/index.ts';
import {
  deleteOldDeliveries,
  deleteOldFigures,
  deleteOrphanedDeliveries,
  deleteUnusedPayloads,
  deleteWebhooksOfGoneProjects,
} from './cleaning.sql.ts';

const hour = 3_600_000;
const day = 24 * hour;

/**
 * Deletes deliveries older than the given days, with their attempts, and what deleted webhooks left behind. What is
 * still to be delivered stays.
 */
export async function cleanDeliveries(db: Db, days: number): Promise<void> {
  // At a full hour, as the figures are kept by: those that are left tell of the deliveries that are left.
  const until = new Date(Math.floor((Date.now() - days * day) / hour) * hour);
  await inBatches((rows) => deleteOldDeliveries(db, until, rows));
  await inBatches((rows) => deleteOrphanedDeliveries(db, rows));
  await inBatches((rows) => deleteUnusedPayloads(db, until, rows));
  await deleteOldFigures(db, until);
  await deleteWebhooksOfGoneProjects(db);
}
