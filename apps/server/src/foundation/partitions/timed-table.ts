import type { RawBuilder } from 'kysely';
import type { Trx } from '../db/index.ts';
import type { IdPrefix } from '../ids.ts';

/** A table that is partitioned by an id, and therefore by time. */
export type TimedTable = {
  name: string;
  key: string;
  prefix: IdPrefix;
  /** Selects keys below this one whose rows must stay although they have expired. */
  staying?(below: string): RawBuilder<unknown>;
  /** Runs in the transaction that drops all other rows below this key. `time` is the time of the key. */
  dropping?(trx: Trx, below: string, time: Date): Promise<unknown>;
};

const dayMs = 86_400_000;

/** Approximate number of partitions that hold the kept rows. A query without a key plans and reads every partition. */
const parts = 4;

/**
 * The width of a partition, in whole days. Rows are kept longer than required by up to a quarter of the retention time,
 * or by a day.
 */
export const widthOf = (days: number): number => Math.max(1, Math.ceil(days / parts)) * dayMs;

export const borderAfter = (time: number, width: number): number => (Math.floor(time / width) + 1) * width;

export const firstNameOf = (table: string): string => `${table}_first`;

export const nameOf = (table: string, begins: number): string =>
  `${table}_from_${new Date(begins).toISOString().slice(0, 10).replaceAll('-', '')}`;
