import type { RawBuilder } from 'kysely';
import type { Trx } from '../db/index.ts';
import type { IdPrefix } from '../ids.ts';

/** A table that is partitioned by an id, and therefore by time, because ids begin with their time. */
export type TimedTable = {
  name: string;
  key: string;
  prefix: IdPrefix;
  /**
   * Selects the keys of those rows that must stay although they have expired. All of these keys are smaller than
   * `below`.
   */
  staying?(below: string): RawBuilder<unknown>;
  /**
   * Called in the transaction that drops all other rows with smaller keys than `below`. `time` is the time of that key.
   */
  dropping?(trx: Trx, below: string, time: Date): Promise<unknown>;
};

const dayMs = 86_400_000;

/**
 * Approximate number of partitions for the rows that are kept. It is small, because for a query without a key, every
 * partition is planned and read.
 */
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
