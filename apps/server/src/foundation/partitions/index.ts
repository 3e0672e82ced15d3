export { keepPartitions } from './keep-partitions.ts';
export { listPartitions } from './partitions.sql.ts';
export type { TimedTable } from './timed-table.ts';
