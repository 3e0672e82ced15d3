/** The parts of the database code that slices use. Its internals are imported from their own files. */
export { inBatches } from './batches.ts';
export { type RowOf, type RowWithout, selectList } from './columns.ts';
export { cleanRows, deleteRows } from './delete-rows.sql.ts';
export { isDatabaseAway, isRolledBack, violatesForeignKey, violatesUnique } from './errors.ts';
export { type ConnectionOptions, type Db, openDb, openPool } from './pool.ts';
export type { Pool } from './prepared-statements.ts';
export { ask, askTogether, type Question } from './questions.ts';
export type { PointReads } from './read-lane.ts';
export { allRows, firstRow } from './rows.ts';
export { afterCommit, inSnapshot, planOnce, type Queries, type Trx, transaction } from './transaction.ts';
