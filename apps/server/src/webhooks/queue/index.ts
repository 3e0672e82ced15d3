export {
  type BatchedDelivery,
  deleteBatches,
  expandUnknownBatches,
  insertBatch,
  isInBatch,
  writeBatchDown,
  writeDeliveryDown,
  writeWebhookDown,
} from './batches.sql.ts';
export type { DeliveryJob, Run } from './delivery-job.ts';
export { everywhere, inRange, isPending, type PendingRange, pending, readPendingRange } from './pending.sql.ts';
export { countPending, readDeliveryQueue } from './queue.sql.ts';
export { takeTurn } from './turns.sql.ts';
export { keepWorker, type Worker } from './worker.ts';
export { newerWorkerLives, olderWorkerLives } from './workers.sql.ts';
